/** All below a path, as the parts that it has. */
import type { RouteContext } from 'fulmar/routes';

export const GET = (c: RouteContext<'/files/[...path]'>) => ({ parts: c.params.path, whole: c.params['*'] });
