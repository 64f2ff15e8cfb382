/**
 * Template files of version 4 (S14 in docs/internals/express4.md): an engine that calls back at once is not
 * put off.
 */
import { construct, View as View5, type View as ViewInstance, type ViewConstructor } from '../view.ts';
import { copyMembers } from './copy-members.ts';

function createView(this: ViewInstance, ...args: Parameters<typeof construct>): void {
  construct.apply(this, args);
}

const prototype = copyMembers(View5.prototype, Object.prototype);

prototype.render = function render(options, callback) {
  this.engine(this.path as string, options, callback);
};

Object.defineProperty(createView, 'name', { value: 'View' });
Object.defineProperty(prototype, 'constructor', { value: createView });
createView.prototype = prototype;

export const View = createView as unknown as ViewConstructor;
