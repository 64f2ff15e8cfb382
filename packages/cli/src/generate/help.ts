/**
 * What `fulmar help generate` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */
import { schematics } from './schematics.ts';

const rows = schematics.map(({ name, alias, what }) => `  ${name.padEnd(12)} ${(alias ?? '').padEnd(4)} ${what}`).join('\n');

export const generateHelp = `Usage: fulmar generate|g [options] <what> <name>

Makes a part of an application of controllers (fulmar/controllers), with its test, below src, or below the project's folder where
that has none. Modules, controllers, services and resources are added to the nearest module above, whose file is changed for that.

${rows}

A name may have a path before it, and is written in any case: users/userProfile makes src/users/user-profile/user-profile.guard.ts.

      --flat          make no folder for it
      --no-spec       make no test
      --skip-import   leave modules as they are
      --force         replace files that are there
  -d, --dry-run       show what would be made and changed, and do nothing
  -h, --help          show this

Examples:
  fulmar generate resource birds
  fulmar g controller users/profiles --no-spec
  fulmar g guard auth/roles --flat --dry-run
`;
