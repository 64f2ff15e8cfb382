import { Reflector } from 'fulmar/controllers';

/** `@SampleThings(['…'])` on a class or a method; a guard asks for it: `reflector.get(SampleThings, context.getHandler())`. */
export const SampleThings = Reflector.createDecorator<string[]>();
