/**
 * What `require('fulmar/koa2')` is: the Application class of Koa 2 with its namespace. Types only: those of the project's `@types/koa`, which
 * it installs in version 2 (`npm install -D @types/koa@2`).
 */
import Application = require('koa');
export = Application;
