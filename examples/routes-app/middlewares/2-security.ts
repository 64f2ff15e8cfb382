/** What browsers are told for all pages; a form of another site changes nothing here. */
import { csrf, securityHeaders } from 'fulmar/middleware';
import { sessions } from '../lib/users.ts';

export default [securityHeaders(), csrf(), sessions];
