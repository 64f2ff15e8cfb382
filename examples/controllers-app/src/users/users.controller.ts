/** `/api/v1/users`: oneself for everyone, all of them for admins. */
import {
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  Query,
  User as Me,
} from 'fulmar/controllers';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from 'fulmar/controllers/openapi';
import { IsIn } from 'class-validator';
import { type Caller, mayAct, type Role, Roles } from '../common/access.ts';
import { IdPipe } from '../common/id.pipe.ts';
import { PageQuery, toPage } from '../common/page.ts';
import { IsText } from '../common/text.ts';
import { UserPage, UserView } from './user.ts';
import { UsersService } from './users.service.ts';

class NameChange {
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @IsText(1, 100)
  name: string;
}

class RoleChange {
  @ApiProperty({ enum: ['member', 'admin'] })
  @IsIn(['member', 'admin'])
  role: Role;
}

@ApiTags('users')
@ApiBearerAuth()
@Controller({ path: 'users', version: '1' })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Roles(['admin'])
  @ApiOperation({ summary: 'All accounts, page by page' })
  @ApiOkResponse({ type: UserPage })
  async list(@Query() { after, limit }: PageQuery): Promise<UserPage> {
    return toPage(await this.users.list(after, limit + 1), limit, UserView.of);
  }

  @Get('me')
  @ApiOperation({ summary: 'Oneself' })
  @ApiOkResponse({ type: UserView })
  async me(@Me() { id }: Caller): Promise<UserView> {
    return UserView.of(await this.users.one(id));
  }

  @Patch('me')
  @ApiOperation({ summary: 'Another name' })
  @ApiOkResponse({ type: UserView })
  async rename(@Me() { id }: Caller, @Body() { name }: NameChange): Promise<UserView> {
    return UserView.of(await this.users.update(id, { name }));
  }

  @Get(':id')
  @ApiOperation({ summary: 'An account, for itself and for admins' })
  @ApiOkResponse({ type: UserView })
  async one(@Param('id', IdPipe) id: number, @Me() caller: Caller): Promise<UserView> {
    // Before it is looked for: who may not see it is not told whether it is there.
    if (!mayAct(caller, id)) throw new ForbiddenException();
    return UserView.of(await this.users.one(id));
  }

  @Patch(':id/role')
  @Roles(['admin'])
  @ApiOperation({ summary: 'Another role' })
  @ApiOkResponse({ type: UserView })
  async promote(@Param('id', IdPipe) id: number, @Body() { role }: RoleChange): Promise<UserView> {
    return UserView.of(await this.users.update(id, { role }));
  }

  @Delete(':id')
  @Roles(['admin'])
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ summary: 'An account goes, and its files with it' })
  @ApiNoContentResponse()
  remove(@Param('id', IdPipe) id: number, @Me() caller: Caller): Promise<void> {
    return this.users.remove(id, caller.id);
  }
}
