/**
 * The facts of `fulmar info` as plain text, one line each, to be copied into a report. Pure functions, no
 * colour, never folded.
 */
import { describeGuest } from '../guests.ts';
import type { Facts, PackageFact, Part } from './gather.ts';

const LABEL_WIDTH = 16;

export function toText(facts: Facts): string {
  const { platform, node, application, environment } = facts;
  const libc = platform.libc === null ? '' : `, ${platform.libc}`;
  const rows: [label: string, text: string][] = [
    ['fulmar', `${facts.version} (${facts.folder})`],
    ['node', `${node.version} (${node.file})`],
    [
      'platform',
      `${platform.name} ${platform.release}, ${platform.arch}${libc}, ${platform.cores} ${platform.cores === 1 ? 'core' : 'cores'}`,
    ],
    ['engine', describe(facts.engine, 'loaded')],
    ['native host', describe(facts.native, 'there')],
    ['load generator', describe(facts.load, 'there')],
    ...facts.guests.map((guest): [string, string] => [guest.language, describeGuest(guest)]),
    ...facts.packages.map((fact): [string, string] => [fact.name, describePackage(fact)]),
    ['application', application === null ? 'none found here' : `${application.name} (${application.source})`],
    ['environment', environment.length === 0 ? 'nothing set for Node or Fulmar' : `set: ${environment.join(', ')}`],
  ];
  return rows.map(([label, text]) => `${label.padEnd(LABEL_WIDTH)}${text}\n`).join('');
}

function describe({ file, problem }: Part, ready: string): string {
  return problem === null ? `${ready} (${file})` : `not ${ready}: ${file}: ${problem}`;
}

function describePackage({ version, folder, leadsTo }: PackageFact): string {
  const found = folder === null ? 'not installed' : `${version ?? 'of unknown version'} (${folder})`;
  return leadsTo === null ? `${found}: nothing stands for it, it runs as it is` : `${found} → ${leadsTo}`;
}
