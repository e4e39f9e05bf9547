/** The library of outages, and reports of what they did. */
export { htmlReport } from '../report/html-report.ts';
export type { Picture } from '../report/picture.ts';
export { svgPicture } from '../report/svg-picture.ts';
export type { Totals } from '../report/totals.ts';
export type { Outage, Phase } from './outage.ts';
export { outageNamed, OUTAGES } from './outages.ts';
