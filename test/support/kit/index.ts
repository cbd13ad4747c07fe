/**
 * What tests of this package begin with. Import from here.
 *
 * - `setUpKit()`: the action node on n8n's engine, against a fake service (`action.ts`)
 * - `triggerOf()`: the trigger, to be polled by n8n's own poll context (`trigger.ts`)
 * - `misfits()`: whether an error's words fit what happened (`fittingWords.ts`)
 */
export { MODES, setUpKit, subjectOf } from './action';
export { byId, HOUR, inMs, type Parameters } from './values';
export { adjustableClock, idsOf, inAnotherProcess, OWN, triggerOf } from './trigger';
export { misfits, triggerLabels } from './fittingWords';
