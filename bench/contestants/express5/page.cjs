// The page of `template`: EJS, compiled once, as Express does with its view cache in production.
'use strict';
const ejs = require('ejs');

const template = `<!doctype html>
<html>
<head><title><%= title %></title></head>
<body>
<h1><%= title %></h1>
<table>
<% for (const item of items) { %><tr class="<%= item.active ? 'active' : 'resting' %>"><td><%= item.id %></td><td><%= item.name %></td><td><%= item.price.toFixed(2) %></td><td><%= item.stock %></td><td><% item.tags.forEach((tag) => { %><i><%= tag %></i><% }) %></td></tr>
<% } %></table>
</body>
</html>
`;

module.exports = { page: ejs.compile(template) };
