// What `require('fulmar/koa2')` is: the Application class of Koa 2 with its namespace. Types only.
import Application = require('koa2');
export = Application;
