/** A line for each request. */
import { accessLog } from 'fulmar/middleware';

export default accessLog();
