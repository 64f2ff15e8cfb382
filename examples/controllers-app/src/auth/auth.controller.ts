/** `/api/v1/auth`: the two routes that nobody has to be signed in for. */
import { Body, Controller, HttpCode, HttpStatus, Post, ThrottlerGuard, UseGuards } from 'fulmar/controllers';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from 'fulmar/controllers/openapi';
import { Public } from '../common/access.ts';
import { UserView } from '../users/user.ts';
import { Session, SignIn, SignUp } from './auth.dto.ts';
import { AuthService, type Signed } from './auth.service.ts';

const toSession = ({ token, user }: Signed): Session => ({ token, user: UserView.of(user) });

@ApiTags('auth')
@ApiTooManyRequestsResponse({ description: 'Too many attempts of this address: `Retry-After` says when.' })
@Public()
// Who guesses passwords is slowed down, and scrypt is dear.
@UseGuards(ThrottlerGuard)
@Controller({ path: 'auth', version: '1' })
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('sign-up')
  @ApiOperation({ summary: 'A new account' })
  @ApiCreatedResponse({ type: Session })
  @ApiConflictResponse({ description: 'Another account has this address.' })
  async signUp(@Body() given: SignUp): Promise<Session> {
    return toSession(await this.auth.signUp(given));
  }

  @Post('sign-in')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'A token for an account' })
  @ApiOkResponse({ type: Session })
  @ApiUnauthorizedResponse({ description: 'Address or password is wrong.' })
  async signIn(@Body() { email, password }: SignIn): Promise<Session> {
    return toSession(await this.auth.signIn(email, password));
  }
}
