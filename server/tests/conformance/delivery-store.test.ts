import { DELIVERY_STORE_FACTS, deliveryStoreConformance } from './delivery-store.ts';
import { filePlace, memoryPlace } from './places.ts';

const ofOneNode = DELIVERY_STORE_FACTS.filter(({ needsTwoNodes }) => needsTwoNodes !== true);

deliveryStoreConformance('file', filePlace, ofOneNode);
deliveryStoreConformance('memory', () => memoryPlace());
