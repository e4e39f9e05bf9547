import { deliveryStoreConformance } from './delivery-store.ts';
import { filePlace, memoryPlace } from './places.ts';

deliveryStoreConformance('file', filePlace, 1);
deliveryStoreConformance('memory', () => memoryPlace(), 2);
