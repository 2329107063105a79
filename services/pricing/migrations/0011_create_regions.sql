-- `record` is a storefront.pricing.v1.PricingRegion.
create table region (
  id text collate "C" primary key,
  record bytea not null,
  observed_at timestamptz not null,
  currency_code text not null,
  countries text[] not null
);

-- The regions that a shop begins with, older than any observation. Members of the record by their numbers: id 1, currency
-- code 2, decimals 3, countries 4.
insert into region
select id,
  '\x0a' || set_byte('\x00', 0, length(id)) || convert_to(id, 'UTF8')
    || '\x1203' || convert_to(currency_code, 'UTF8')
    || case currency_decimals when 0 then '' else '\x18' || set_byte('\x00', 0, currency_decimals) end
    || (select string_agg('\x2202' || convert_to(country, 'UTF8'), '' order by place)
      from unnest(codes) with ordinality as listed(country, place)),
  '0001-01-01T00:00:00Z', currency_code, codes
from (values
  ('AE', 'AED', 2, 'AE'),
  ('AFRICA', 'USD', 2,
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EH ER ET GA GH GM GN GQ GW KE KM LR LS MA MG ML MR MU MW MZ
      NA NE NG RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG YE ZM ZW'),
  ('ANZ', 'USD', 2, 'CC CK CX FJ FM GU HM KI MH MP NF NR NU PG PN PW SB TK TO TV VU WF WS'),
  ('AR', 'USD', 2, 'AR'),
  ('AU', 'AUD', 2, 'AU'),
  ('BG', 'BGN', 2, 'BG'),
  ('BR2', 'BRL', 2, 'BR'),
  ('CA', 'CAD', 2, 'CA'),
  ('CH', 'CHF', 2, 'CH LI'),
  ('CIS', 'USD', 2, 'AM AZ GE KG MD TJ TM UZ'),
  ('CL2', 'CLP', 0, 'CL'),
  ('CN2', 'CNY', 2, 'CN'),
  ('CO2', 'COP', 2, 'CO'),
  ('CR2', 'CRC', 2, 'CR'),
  ('CZ', 'CZK', 2, 'CZ'),
  ('DK', 'DKK', 2, 'DK'),
  ('EAST', 'USD', 2, 'AF EG IQ IR JO LB LK LY MN MV OM PK PS SY'),
  ('EURO', 'EUR', 2,
    'AD AL AT BA BE CY DE EE ES FI FO FR GL GR HR IE IS IT LT LU LV MC ME MK MT NL PT RE SI SK SM VA XK'),
  ('GB', 'GBP', 2, 'GB GG GI IM JE'),
  ('HK2', 'HKD', 2, 'HK'),
  ('HU', 'HUF', 2, 'HU'),
  ('ID2', 'IDR', 2, 'ID'),
  ('IL', 'ILS', 2, 'IL'),
  ('IN2', 'INR', 2, 'IN'),
  ('JP', 'JPY', 0, 'JP'),
  ('KR2', 'KRW', 0, 'KR'),
  ('KZ', 'KZT', 2, 'KZ'),
  ('LATAM', 'USD', 2,
    'AG AI AN AW BB BM BO BS BZ CU DM DO EC FK GD GT GY HN HT JM KN LC MS NI PA PR PY SH SR SV TC TT VC
      VE'),
  ('MIDEAST', 'USD', 2, 'BH KW'),
  ('MX2', 'MXN', 2, 'MX'),
  ('MY2', 'MYR', 2, 'MY'),
  ('NO', 'NOK', 2, 'NO'),
  ('NZ', 'NZD', 2, 'NZ'),
  ('PE2', 'PEN', 2, 'PE'),
  ('PH2', 'PHP', 2, 'PH'),
  ('PL', 'PLN', 2, 'PL'),
  ('QA', 'QAR', 2, 'QA'),
  ('RO', 'RON', 2, 'RO'),
  ('ROW', 'USD', 2, 'AQ AS AX BL BQ BV CW GF GP GS IO KP KY MF MQ NC PF PM RS SJ SX TF UM VG VI YT'),
  ('RU', 'RUB', 2, 'BY RU'),
  ('SA', 'SAR', 2, 'SA'),
  ('SE', 'SEK', 2, 'SE'),
  ('SEA', 'USD', 2, 'BD BN BT KH LA MM MO NP TL'),
  ('SG2', 'SGD', 2, 'SG'),
  ('TH2', 'THB', 2, 'TH'),
  ('TR', 'TRY', 2, 'TR'),
  ('TW2', 'TWD', 2, 'TW'),
  ('UA', 'UAH', 2, 'UA'),
  ('US', 'USD', 2, 'US'),
  ('UY2', 'UYU', 2, 'UY'),
  ('VN2', 'VND', 0, 'VN'),
  ('ZA2', 'ZAR', 2, 'ZA')
) as first(id, currency_code, currency_decimals, countries)
cross join lateral (select regexp_split_to_array(countries, '\s+') as codes) as split;
