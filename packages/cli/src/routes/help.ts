/**
 * What `fulmar help routes` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */

export const routesHelp = `Usage: fulmar routes [options] [file] [-- arguments]

Loads an application as \`fulmar run\` does, without listening, and lists the routes of all that it makes: apps of fulmar, Express
and Koa applications with their routers, what is mounted in them, and plain listeners as *. Without a file: what scripts.start or
main of package.json name, or a file with a usual name (server, app, index or main, here or in src).

  -X, --method <method>    only routes of this method
      --path <path>        only routes whose path begins so
      --env-file <file>    read environment variables from a file; variables that are set already win
      --start-timeout <s>  seconds until the application must want to listen (default 10); what is registered by then is listed
      --openapi            print the document of OpenAPI instead, as it is served or as openapi() makes it
      --json               print the list as JSON
  -h, --help               show this

Exit code: 0, 1 when the application fails or does not get so far, 2 when the command line is not understood.

Examples:
  fulmar routes
  fulmar routes src/server.ts --method post
  fulmar routes app.js --openapi > openapi.json
`;
