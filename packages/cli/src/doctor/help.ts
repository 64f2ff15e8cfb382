/**
 * What `fulmar help doctor` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */

export const doctorHelp = `Usage: fulmar doctor [options] [file] [-- arguments]

Starts an application under \`fulmar run\`, sends GET requests to the routes it finds, stops it, and tells on one page: which
imports lead to Fulmar and which do not, which routes are compiled, what each middleware costs, which replies took the short
way, and what is known not to work. Without a file: what scripts.start or main of
package.json name, or a file with a usual name (server, app, index or main, here or in src).

      --path <path>        ask for this path as well; may be repeated
  -X, --method <method>    method for those paths (default GET, POST with --body)
  -H, --header <line>      "name: value" for all requests; may be repeated
      --body <text>        content for those paths
      --routes <n>         ask for at most n of the routes that are found (default 50; 0: none)
      --no-requests        send nothing; tell what can be seen without
      --env-file <file>    read environment variables from a file; variables that are set already win
      --start-timeout <s>  seconds until the application must listen (default 20)
      --verbose            name every route, importer and effect
      --json               print the report as JSON
  -h, --help               show this

Exit code: 0 when no problem was found, 3 for problems, 1 when the application does not start, 2 when the command line is not
understood.

Examples:
  fulmar doctor
  fulmar doctor src/server.ts --path /users/42
  fulmar doctor app.js --path /login -H 'Content-Type: application/json' --body '{"name":"ada"}'
`;
