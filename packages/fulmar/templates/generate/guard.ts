import { type CanActivate, type ExecutionContext, Injectable } from 'fulmar/controllers';

@Injectable()
export class SampleThingsGuard implements CanActivate {
  canActivate(_context: ExecutionContext): boolean | Promise<boolean> {
    return true;
  }
}
