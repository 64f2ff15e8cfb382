/**
 * What `require('fulmar/koa')` is: Koa's Application class with its namespace (`Koa.Context` …). Types only: those of the project's
 * `@types/koa` (`npm install -D @types/koa@3`).
 */
import Application = require('koa');
export = Application;
