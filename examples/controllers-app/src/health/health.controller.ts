/** `/health/live`: the process answers. `/health/ready`: it can do its work. Neither has a version, a prefix or a guard. */
import { Controller, Get, Inject, Optional, ServiceUnavailableException, VERSION_NEUTRAL } from 'fulmar/controllers';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from 'fulmar/controllers/openapi';
import { Public } from '../common/access.ts';
import { Database } from '../database/database.ts';

@ApiTags('health')
@Public()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(@Optional() @Inject(Database) private readonly database?: Database) {}

  @Get('live')
  @ApiOperation({ summary: 'Is the process there?' })
  @ApiOkResponse({ description: 'It is.' })
  live(): object {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Can it do its work?' })
  @ApiOkResponse({ description: 'It can.' })
  @ApiServiceUnavailableResponse({ description: 'Its database does not answer.' })
  async ready(): Promise<object> {
    const storage = this.database === undefined ? 'memory' : 'postgresql';
    try {
      await this.database?.query('SELECT 1');
    } catch (cause) {
      throw new ServiceUnavailableException({ status: 'unavailable', storage }, { cause });
    }
    return { status: 'ok', storage };
  }
}
