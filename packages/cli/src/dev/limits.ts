/** What `fulmar dev` lives by: its numbers, and which files may be of routes. */

/** Editors write, rename and write again: what comes within this time is one change … */
export const QUIET_MS = 6;
/** … but a file that is written all the time is loaded this often. */
export const WAIT_MS_MAX = 60;
/** Folders that are watched. A project has some hundreds; systems allow 8,192 to some 100,000 of all a user's programs. */
export const FOLDERS_MAX = 8_000;
/** Paths that one change may have; more are the change of a branch, and every file is looked at. */
export const PATHS_MAX = 10_000;
/** Folders beyond this depth are those of a link that leads in a circle. */
export const DEPTH_MAX = 64;
/** An application that has not listened by then, and exports one, is listened for. */
export const EXPORT_WAIT_MS = 300;
/** Routes that are listed at the start. */
export const ROUTES_SHOWN = 12;
/** Requests in flight may take so long when the process is to end; the engine closes connections that stay idle after a second. */
export const DRAIN_MS = 2_000;
/** A file that an attempt has failed with, and that is written again within this time, is the application's own work. */
export const ECHO_MS = 1_000;
/** Files of a folder of routes: modules, and pages that are sent as they are. */
export const MODULE_OR_PAGE = /\.(?:[cm]?[jt]s|[jt]sx|html|md|json)$/;
