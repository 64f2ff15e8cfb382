import { Injectable, NotFoundException } from '@nestjs/common';
import { Expose, Exclude, Type } from 'class-transformer';
import { IsDate, IsIn, IsNumber, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';

export class PlaceDto {
  @IsString()
  name!: string;

  @IsNumber()
  @Min(-90)
  @Max(90)
  lat!: number;
}

export class TideDto {
  @IsIn(['high', 'low'])
  kind!: 'high' | 'low';

  @IsNumber()
  metres!: number;

  @IsDate()
  @Type(() => Date)
  at!: Date;

  @ValidateNested()
  @Type(() => PlaceDto)
  @IsOptional()
  place?: PlaceDto;
}

export class Tide {
  id!: number;
  kind!: string;
  metres!: number;
  at!: Date;

  @Expose({ groups: ['harbour'] })
  pilot = 'Þór';

  @Exclude()
  source = 'buoy';

  constructor(values: Partial<Tide>) {
    Object.assign(this, values);
  }
}

@Injectable()
export class TidesService {
  private readonly tides: Tide[] = [
    new Tide({ id: 1, kind: 'high', metres: 4.2, at: new Date('2026-01-01T06:00:00Z') }),
    new Tide({ id: 2, kind: 'low', metres: 0.4, at: new Date('2026-01-01T12:00:00Z') }),
  ];

  count(): number {
    return this.tides.length;
  }

  all(): Tide[] {
    return this.tides;
  }

  one(id: number): Tide {
    const tide = this.tides.find((each) => each.id === id);
    if (tide === undefined) throw new NotFoundException({ message: `no tide ${id}`, hint: 'ü ☃' });
    return tide;
  }

  add({ kind, metres, at }: TideDto): Tide {
    const tide = new Tide({ id: this.tides.length + 1, kind, metres, at });
    this.tides.push(tide);
    return tide;
  }
}
