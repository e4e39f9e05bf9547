import { fileProfilesPlace } from './file-profiles-place.ts';
import { memoryProfilesPlace } from './profile-place.ts';
import { profileConformance } from './profiles.ts';

profileConformance('file', fileProfilesPlace);
profileConformance('memory', () => memoryProfilesPlace());
