/**
 * Which kind of request an event is, and what an event that is none is called.
 */
import type { LambdaFormat } from './event-types.ts';

interface AnyEvent {
  readonly Records?: readonly { readonly eventSource?: string; readonly EventSource?: string }[];
  readonly source?: unknown;
  readonly warmer?: unknown;
  readonly ['detail-type']?: unknown;
  readonly routeKey?: unknown;
  readonly rawPath?: unknown;
  readonly httpMethod?: unknown;
  readonly path?: unknown;
  readonly multiValueHeaders?: unknown;
  readonly requestContext?: {
    readonly http?: unknown;
    readonly elb?: unknown;
    readonly connectionId?: unknown;
    readonly serviceArn?: unknown;
  };
  readonly type?: unknown;
  readonly methodArn?: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `undefined`: the event is no request. */
export function formatOf(event: unknown): LambdaFormat | undefined {
  if (!isObject(event)) return undefined;
  const { rawPath, httpMethod, path, requestContext, multiValueHeaders } = event as AnyEvent;
  if (typeof rawPath === 'string' && isObject(requestContext?.http)) return 'v2';
  if (typeof httpMethod !== 'string' || typeof path !== 'string') return undefined;
  if (isObject(requestContext?.elb)) return isObject(multiValueHeaders) ? 'alb-multi' : 'alb';
  return 'v1';
}

/** Sent on a schedule so that the function stays warm: by the known plug-ins, and by EventBridge itself. */
export function isWarmUp(event: unknown): boolean {
  if (!isObject(event)) return false;
  const { source, warmer, 'detail-type': detail } = event as AnyEvent;
  return source === 'serverless-plugin-warmup' || warmer === true || (source === 'aws.events' && detail === 'Scheduled Event');
}

/** For whoever has connected a function to something that sends no requests. */
export function refusal(event: unknown, who: string): TypeError {
  return new TypeError(
    `${who} answers requests of API Gateway, function URLs and load balancers, and this event is ${nameOf(event)}. ` +
      'Give that another handler; batch() makes one for records.',
  );
}

function nameOf(event: unknown): string {
  if (!isObject(event)) return JSON.stringify(event) ?? String(event);
  const { Records, source, requestContext, type, methodArn } = event as AnyEvent;
  const of = Records?.[0]?.eventSource ?? Records?.[0]?.EventSource;
  if (of !== undefined) return `records of ${of}`;
  if (requestContext?.connectionId !== undefined) return 'a message of a WebSocket API';
  if (requestContext?.serviceArn !== undefined) return 'a request of VPC Lattice, which is not supported';
  if (type !== undefined && methodArn !== undefined) return 'a question to an authorizer';
  if (typeof source === 'string') return `an event of ${source}`;
  const names = Object.keys(event);
  return names.length === 0 ? 'empty' : `an object with ${names.slice(0, 5).join(', ')}`;
}
