/** What `require('fulmar/http')` is: an object with all that node:http has. Types only. */
import http = require('node:http');
export = http;
