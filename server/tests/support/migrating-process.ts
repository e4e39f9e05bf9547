/** A process that migrates the folder it is given, and says when it begins: to be killed meanwhile. */
import { migrateFolder } from '../../storage/file/migrate.ts';
import { RecordingLog } from './ingestion-log.ts';

process.stdout.write('begins\n');
await migrateFolder(process.argv[2] ?? '', new RecordingLog());
