// The bodies of `updateUser` a month later, as class-validator checks them and class-transformer revives them:
// members of unions are classes, told by their `kind`.
import { Type } from 'class-transformer';
import { IsArray, IsDate, IsDefined, IsIn, IsNumber, IsString, ValidateNested } from 'class-validator';

export class UserMonthDto {
  @IsNumber()
  id!: number;

  @IsString()
  name!: string;

  @IsString()
  surname!: string;

  @Type(() => Date)
  @IsDate()
  lastUpdate!: Date;
}

class ContactDto {
  @IsIn(['email', 'phone', 'post'])
  kind!: string;
}

class PaymentDto {
  @IsIn(['card', 'transfer', 'invoice'])
  kind!: string;
}

class EmailDto extends ContactDto {
  @IsString()
  address!: string;
}

class PhoneDto extends ContactDto {
  @IsNumber()
  country!: number;

  @IsString()
  number!: string;
}

class PostDto extends ContactDto {
  @IsString()
  street!: string;

  @IsString()
  city!: string;

  @IsString()
  zip!: string;

  @IsString()
  country!: string;
}

class CardDto extends PaymentDto {
  @IsString()
  number!: string;

  @IsString()
  expires!: string;
}

class TransferDto extends PaymentDto {
  @IsString()
  iban!: string;

  @IsString()
  bank!: string;
}

class InvoiceDto extends PaymentDto {
  @IsNumber()
  days!: number;
}

class OrderDto {
  @IsNumber()
  id!: number;

  @IsNumber()
  total!: number;

  @Type(() => Date)
  @IsDate()
  placedAt!: Date;

  @IsDefined()
  @ValidateNested()
  @Type(() => PaymentDto, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: CardDto, name: 'card' },
        { value: TransferDto, name: 'transfer' },
        { value: InvoiceDto, name: 'invoice' },
      ],
    },
  })
  payment!: CardDto | TransferDto | InvoiceDto;
}

export class UserUnionDto extends UserMonthDto {
  @IsDefined()
  @ValidateNested()
  @Type(() => ContactDto, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: EmailDto, name: 'email' },
        { value: PhoneDto, name: 'phone' },
        { value: PostDto, name: 'post' },
      ],
    },
  })
  contact!: EmailDto | PhoneDto | PostDto;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OrderDto)
  orders!: OrderDto[];
}
