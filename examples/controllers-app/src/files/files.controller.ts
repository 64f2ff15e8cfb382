/** `/api/v1/files`: one's own files. An admin may see and remove those of others. */
import {
  BadRequestException,
  Controller,
  Delete,
  FileInterceptor,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
  UploadedFile,
  UseInterceptors,
  User,
  Version,
} from 'fulmar/controllers';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from 'fulmar/controllers/openapi';
import type { Caller } from '../common/access.ts';
import { IdPipe } from '../common/id.pipe.ts';
import { PageQuery, toPage } from '../common/page.ts';
import { Settings } from '../settings/settings.ts';
import { type ContentRequest, type ContentResponse, contentOf } from './content.ts';
import { Disk } from './disk.ts';
import { FilePage, FileView, UsageDetails, UsageView } from './file.ts';
import { FilesService } from './files.service.ts';
import { TYPES } from './types.ts';
import type { Upload } from './upload.ts';

@ApiTags('files')
@ApiBearerAuth()
@Controller({ path: 'files', version: '1' })
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly disk: Disk,
    private readonly settings: Settings,
  ) {}

  @Post()
  @UseInterceptors(FileInterceptor('file'))
  @ApiOperation({ summary: 'A file, in a form' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] } })
  @ApiCreatedResponse({ type: FileView })
  async add(@User() { id }: Caller, @UploadedFile() upload?: Upload): Promise<FileView> {
    if (upload === undefined) throw new BadRequestException('A form with a file named "file" is expected');
    return FileView.of(await this.files.add(id, upload));
  }

  @Get()
  @ApiOperation({ summary: 'One’s own, page by page' })
  @ApiOkResponse({ type: FilePage })
  async list(@User() { id }: Caller, @Query() { after, limit }: PageQuery): Promise<FilePage> {
    return toPage(await this.files.list(id, after, limit + 1), limit, FileView.of);
  }

  @Get('usage')
  @ApiOperation({ summary: 'How much one has' })
  @ApiOkResponse({ type: UsageView })
  async usage(@User() { id }: Caller): Promise<UsageView> {
    const { bytes } = await this.files.usage(id);
    return { bytes };
  }

  /** The same, as `/api/v2` tells it; clients of v1 go on as they did. */
  @Get('usage')
  @Version('2')
  @ApiOperation({ summary: 'How much one has, and may have' })
  @ApiOkResponse({ type: UsageDetails })
  async usageDetails(@User() { id }: Caller): Promise<UsageDetails> {
    return { ...(await this.files.usage(id)), bytesMax: this.settings.accountBytesMax };
  }

  @Get(':id')
  @ApiOperation({ summary: 'What is known of a file' })
  @ApiOkResponse({ type: FileView })
  async one(@Param('id', IdPipe) id: number, @User() caller: Caller): Promise<FileView> {
    return FileView.of(await this.files.one(id, caller));
  }

  @Get(':id/content')
  @ApiOperation({ summary: 'Its content, or the part that `Range` asks for' })
  @ApiProduces(...TYPES)
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async content(
    @Param('id', IdPipe) id: number,
    @User() caller: Caller,
    @Req() request: ContentRequest,
    @Res({ passthrough: true }) response: ContentResponse,
  ): Promise<StreamableFile | undefined> {
    return contentOf(await this.files.one(id, caller), this.disk, request, response);
  }

  @Delete(':id')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ summary: 'A file goes' })
  @ApiNoContentResponse()
  remove(@Param('id', IdPipe) id: number, @User() caller: Caller): Promise<void> {
    return this.files.remove(id, caller);
  }
}
