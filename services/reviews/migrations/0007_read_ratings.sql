-- The rating of a serialized storefront.reviews.v1.Review; null without one. Read where it is needed instead of stored in a
-- column, which the release before would not write.
create function reviews.rating_of(record bytea) returns float8 language plpgsql immutable strict as $$
declare
  at int := 0;
  size int;
  shift int;
  exponent int;
  fraction int8 := 0;
begin
  -- Before the rating, member 3, are two texts: a tag, the size as a varint, and as many bytes.
  while at < length(record) and get_byte(record, at) in (10, 18) loop
    size := 0;
    shift := 0;
    loop
      at := at + 1;
      size := size | ((get_byte(record, at) & 127) << shift);
      shift := shift + 7;
      exit when get_byte(record, at) < 128;
    end loop;
    at := at + 1 + size;
  end loop;
  if at + 8 >= length(record) or get_byte(record, at) <> 25 then
    return null;
  end if;
  -- A double of IEEE 754, lowest byte first, and not negative but for -0, which has the highest bit set.
  exponent := ((get_byte(record, at + 8) & 127) << 4) | (get_byte(record, at + 7) >> 4);
  if exponent = 0 then
    return 0;
  end if;
  fraction := get_byte(record, at + 7) & 15;
  for place in reverse 6..1 loop
    fraction := (fraction << 8) | get_byte(record, at + place);
  end loop;
  return (1 + fraction / 4503599627370496::float8) * power(2::float8, exponent - 1023);
end
$$;
