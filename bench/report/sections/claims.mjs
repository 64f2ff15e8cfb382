/**
 * The claims of the reference reports and Fulmar's own aims, each beside what was measured here. The rows are
 * data: claims.json, targets.json.
 */
import { readFileSync } from 'node:fs';
import { heading, table, text, verdict } from '../blocks.mjs';
import { ratio } from '../format.mjs';
import { judgeClaim, judgeTarget } from '../measures.mjs';
import { evaluateAnywhere } from '../partial.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
export const { claims, notBuilt } = read('claims.json');
export const { targets } = read('targets.json');

export function claimsSection(data) {
  const rows = claims.map((claim) => claimCells(data, claim));
  return [
    heading(2, 'Claims of other reports'),
    text(
      'You can skip this part unless you came from one of those reports. Five reports about other projects that speed up JavaScript servers, numbered 000 to 004, claim these figures; none of them can be run again. The claims are yardsticks here: each row asks what Fulmar does at the same place, as a ratio, on one machine and with every reply checked.',
    ),
    text(
      '“Claimed” is what the report says of its own project. “Measured here” is Fulmar; its first figure decides the verdict. “Beaten”: better than claimed. “Matched”: inside the claimed range, or closer to it than twice the noise floor. “Missed”: worse.',
    ),
    text(countsOf(data)),
    table('Claim, measurement, verdict', ['claim', 'claimed', 'verdict', 'measured here', 'report'], rows),
  ];
}

const ofPartial = ({ partial }) => (partial === undefined ? '' : `, partial run of ${partial}`);

/** Verdict and figures of one claim: `{ word, figures: [{ label, found }] }`. */
export function claimResult(data, claim) {
  if (claim.notMeasured !== undefined) return { word: 'not measured yet', reason: claim.notMeasured, figures: [] };
  const figures = claim.measures.map((measure) => ({
    label: measure.label,
    found: evaluateAnywhere(data, { ...measure, show: claim.show }),
  }));
  const [{ found }] = figures;
  if (found.missing !== undefined) return { word: 'not measured yet', reason: found.missing, figures };
  return { word: judgeClaim({ ...found, target: claim.target, show: claim.show }), figures };
}

function countsOf(data) {
  const words = claims.map((claim) => claimResult(data, claim).word);
  const count = (wanted) => `${words.filter((word) => word === wanted).length} ${wanted}`;
  return `Of ${words.length} claims: ${['beaten', 'matched', 'missed', 'not measured yet'].map((word) => count(word)).join(', ')}.`;
}

function claimCells(data, claim) {
  const { word, reason, figures } = claimResult(data, claim);
  const known = figures.filter(({ found }) => found.missing === undefined);
  const measured = known.map(({ label, found }) => `${found.written} (${found.spread}): ${label}${ofPartial(found)}`).join('; ');
  return [claim.claim, claim.figure, verdict(word), measured || `– (${reason ?? figures[0].found.missing})`, claim.reports];
}

export function targetsSection(data) {
  const rows = targets.map((target) => targetCells(data, target));
  return [
    heading(2, 'Our own aims'),
    text('What Fulmar set out to reach, and what it reached. CPU time per reply unless the row says otherwise. Judged to the letter.'),
    table('Aim, measurement, verdict', ['row', '>aim', '>measured', '>spread', 'verdict'], rows),
  ];
}

function targetCells(data, target) {
  const { word, reason, found } = targetResult(data, target);
  if (reason !== undefined) return [target.name, target.aim, '–', '–', verdict(word, `${word}: ${reason}`)];
  return [`${target.name}${ofPartial(found)}`, target.aim, found.written, found.spread, verdict(word)];
}

/** `{ word, found }`, or `{ word, reason }` when the row was not measured. */
export function targetResult(data, target) {
  const found = target.notMeasured === undefined ? evaluateAnywhere(data, target) : { missing: target.notMeasured };
  if (found.missing !== undefined) return { word: 'not measured', reason: found.missing };
  const word = judgeTarget({ ...target, value: found.value });
  // A value that misses its aim by less than the two decimals show is written out.
  const hidden = word === 'missed' && judgeTarget({ ...target, value: Number(ratio(found.value)) }) === 'met';
  return { word, found: hidden ? { ...found, written: found.value.toFixed(4) } : found };
}
