/**
 * What `fulmar help info` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */

export const infoHelp = `Usage: fulmar info [--json]

Shows what a bug report needs: versions, platform, which file of the engine is loaded or why not, whether the native host and the
load generator are there, which other languages can be used and which interpreter that is, and the packages that Fulmar stands for,
as files in the working directory would get them. Asks interpreters where their libraries are, and starts nothing else. Of the environment it shows names, no values.

      --json               print the same as JSON
  -h, --help               show this
`;
