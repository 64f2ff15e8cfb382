// `res.locals`, made when it is first read: most replies never look at it. It is an own property from then on, as
// upstream's is from the start.

interface WithLocals {
  locals: unknown;
}

export function defineLocals(response: object): void {
  Object.defineProperty(response, 'locals', {
    configurable: true,
    enumerable: false,
    get(this: WithLocals) {
      const locals: unknown = Object.create(null);
      setOwn(this, locals);
      return locals;
    },
    set: function (this: WithLocals, value: unknown) {
      setOwn(this, value);
    },
  });
}

function setOwn(res: WithLocals, value: unknown): void {
  Object.defineProperty(res, 'locals', { value, configurable: true, enumerable: true, writable: true });
}
