// What `require('fulmar/koa')` is: Koa's Application class with its namespace (`Koa.Context` …). Types only.
import Application = require('koa');
export = Application;
