create extension pg_trgm;

CREATE OR REPLACE FUNCTION public.clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, statement_timestamp());

CREATE OR REPLACE FUNCTION public.event_lane(order_key uuid)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((get_byte(uuid_send(order_key), 15) & 7))::smallint;

CREATE OR REPLACE FUNCTION public.folded(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  kept text collate "C" := value;
  number text collate "C";
begin
  if octet_length(value) > char_length(value) then
    kept := normalize(kept, nfkd);
    -- White space, the digits of Arabic and Persian, and dashes; then invisible characters, which go: marks of direction, joiners, soft hyphens, selectors of a glyph.
    if kept ~ '[\u0085\u00AD\u034F\u061C\u0660-\u0669\u06F0-\u06F9\u1680\u180B-\u180F\u200B-\u206F\u2212\uFE00-\uFE0F\uFEFF]' then
      kept := translate(
        kept,
        U&'\0085\1680\2028\2029'
        || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹'
        || U&'\2010\2012\2013\2014\2015\2212'
        || U&'\00AD\034F\061C\180B\180C\180D\180E\180F\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2061\2062\2063\2064\2066\2067'
        || U&'\2068\2069\206A\206B\206C\206D\206E\206F\FE00\FE01\FE02\FE03\FE04\FE05\FE06\FE07\FE08\FE09\FE0A\FE0B\FE0C\FE0D\FE0E\FE0F\FEFF',
        '    ' || '01234567890123456789' || '------'
      );
    end if;
    -- Latin.
    if kept ~ '[\u00C6-\u024E\u1EFA-\u1EFE\u2132-\u2183\u2C60-\u2C7F\uA722-\uA7F5]' then
      kept := translate(
        kept,
        'ÆÐØÞĐĦıŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎỺỼỾℲↃⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔ'
        'ꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ',
        'æðøþđħiłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏỻỽỿⅎↄⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕ'
        'ꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ'
      );
    end if;
    -- Greek.
    if kept ~ '[\u0345-\u03FF]' then
      kept := translate(
        kept,
        'ͅͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿ',
        'ιͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽ'
      );
    end if;
    -- Cyrillic: the letters of Russian, which are told apart for speed, then the others.
    if kept ~ '[\u0410-\u042F]' then
      kept := translate(
        kept,
        'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
        'абвгдежзиклмнопрстуфхцчшщъыьэюя'
      );
    end if;
    if kept ~ '[\u0402-\u040F\u0460-\u052E\u1C80-\u1C89\uA640-\uA69A]' then
      kept := translate(
        kept,
        'ЂЄЅІЈЉЊЋЏѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉꙀꙂꙄꙆꙈꙊꙌꙎꙐ'
        'ꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚ',
        'ђєѕіјљњћџѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯвдосттъѣꙋᲊꙁꙃꙅꙇꙉꙋꙍꙏꙑ'
        'ꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛ'
      );
    end if;
    -- Other scripts.
    if kept ~ '[\u0531-\u13F5\u1C90-\u1CBF\u2C00-\u2C2F\u2C80-\u2CF2\U00010400-\U0001E921]' then
      kept := translate(
        kept,
        'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿ'
        'ᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉ'
        'ⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒'
        '𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑'
        '𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖'
        '𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡',
        'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏ'
        'ꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹ'
        'ⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺'
        '𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑'
        '𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶'
        '𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'
      );
    end if;
    kept := replace(replace(replace(lower(kept), 'ß', 'ss'), 'ẞ', 'ss'), U&'i\0307', 'i');
  end if;
  kept := btrim(regexp_replace(lower(kept), '[ \t\n\v\f\r]+', ' ', 'g'));
  if kept !~ '^[(\[]*(\+|00)' then
    return kept;
  end if;
  number := regexp_replace(translate(kept, ' ()[]./-', ''), '^00', '+');
  if number !~ '^\+[0-9]{7,16}$' then
    return kept;
  end if;
  -- The 0 of national numbers, as in +44 (0)20: no part of the international one but in these countries.
  if number !~ '^\+(39|225|226|227|229|241|242|247|267|268|501|676|679|687|853|974|992)' then
    number := regexp_replace(
      number,
      '^(\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(2[1-689]|3[578]|42|5[09]|6[7-9]|8[05-9]|9[679])[0-9]))0',
      '\1'
    );
  end if;
  return number;
end
$function$;

CREATE OR REPLACE FUNCTION public.merged_variables(kept json, sent text)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  with chat as (
    select split_part(sent, E'\x1f', 1)::json as variables, nullif(split_part(sent, E'\x1f', 2), '')::json as written
  ),
  set_here as (
    select entry::text as id
    from chat
    cross join json_array_elements(written -> 'set') as entry
  ),
  listed as (
    select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name,
      written is null or coalesce((entry -> 'id')::text in (select id from set_here), false) as is_set
    from chat
    cross join json_array_elements(variables) with ordinality as v (entry, place)
  ),
  removed as (
    select (entry -> 'id')::text as id, (entry -> 'name')::text as name
    from chat
    cross join json_array_elements(written -> 'removed') as entry
  ),
  namesakes as (
    select entry::text as id
    from chat
    cross join json_array_elements(written -> 'namesakes') as entry
  ),
  others as (
    select k.entry, k.place, k.id, k.name
    from (
      select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name
      from json_array_elements(kept) with ordinality as e (entry, place)
    ) as k
    where not exists (
        select
        from listed l
        where l.is_set
          and l.name = k.name
          and (l.id = k.id or k.id not in (select id from namesakes))
      )
      and not exists (select from removed r where r.id = k.id and r.name = k.name)
  )
  select case
    when kept is null then (select variables from chat)
    when (select count(*) from others) = (select count(*) from listed where not is_set)
      and not exists (
        select
        from others o
        where not exists (
          select
          from listed l
          where not l.is_set and l.id = o.id and l.name = o.name and (l.entry -> 'value')::text = (o.entry -> 'value')::text
        )
      )
      then (select variables from chat)
    else (
      select coalesce(json_agg(entry order by is_set, place), '[]')
      from (
        select entry, place, false as is_set from others
        union all
        select entry, place, true from listed where is_set
      ) as whole
    )
  end
$function$;

CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM clock()) * (1000)::numeric))::bigint), 12, '0'::text) || "right"(replace((gen_random_uuid())::text, '-'::text, ''::text), 20)))::uuid;

CREATE OR REPLACE FUNCTION public.taken_back_variables(kept json, changes json)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  with changed as (
    select (entry -> 'id') as id, (entry -> 'name') as name, (entry -> 'had')::text as had, entry -> 'has' as has, place
    from json_array_elements(changes) with ordinality as c (entry, place)
  ),
  listed as (
    select entry, place, (entry -> 'id')::text as id, (entry -> 'name')::text as name, (entry -> 'value')::text as value
    from json_array_elements(kept) with ordinality as k (entry, place)
  )
  select coalesce(json_agg(entry order by is_new, place), '[]')
  from (
    select
      case
        when c.had = l.value then json_build_object('id', c.id, 'name', c.name, 'value', c.has)
        else l.entry
      end as entry,
      l.place,
      false as is_new
    from listed l
    left join changed c on c.id::text = l.id and c.name::text = l.name
    where c.had is distinct from l.value or c.has::text <> 'null'
    union all
    select json_build_object('id', c.id, 'name', c.name, 'value', c.has), c.place, true
    from changed c
    where c.had = 'null'
      and c.has::text <> 'null'
      and not exists (select from listed l where l.id = c.id::text and l.name = c.name::text)
  ) as whole
$function$;

create sequence logs_position;

create table anonymous_previews (
  bot_id uuid not null,
  address bytea,
  bytes bigint not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint anonymous_previews_pkey PRIMARY KEY (bot_id)
);

create table answer_ratings (
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  block_id text not null,
  result_id uuid not null,
  bot_id uuid not null,
  is_good boolean not null,
  words text,
  rated_at timestamp(3) with time zone default clock() not null,
  linked_result_id uuid,
  constraint answer_ratings_pkey PRIMARY KEY (shard, session_id, revision, block_id)
);

create table answers (
  shard smallint not null,
  result_id uuid not null,
  created_at timestamp(3) with time zone default clock() not null,
  session_id uuid not null,
  revision integer not null,
  "position" smallint not null,
  bot_id uuid not null,
  block_id text not null,
  group_id text not null,
  variable_id text,
  content text not null,
  attached_file_urls text[],
  replaced_at timestamp(3) with time zone,
  constraint answers_pkey PRIMARY KEY (shard, result_id, created_at, session_id, revision, "position")
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_threshold=5000, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=5000);

create unlogged table answers_under_way (
  session_id uuid not null,
  step_id uuid not null,
  allowed_origins text[],
  said text,
  attempt integer,
  block_id text,
  content text,
  stops integer default 0 not null,
  written_at timestamp(3) with time zone not null,
  constraint answers_under_way_pkey PRIMARY KEY (session_id)
) with (fillfactor=50);

create table api_tokens (
  id uuid not null,
  user_id uuid not null,
  workspace_id uuid,
  name text not null,
  hash bytea not null,
  scope text not null,
  is_instance_token boolean default false not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  made_by uuid,
  ends_with uuid,
  constraint api_tokens_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text]))),
  constraint api_tokens_pkey PRIMARY KEY (id)
);

create table audit_entries (
  id uuid not null,
  created_at timestamp(3) with time zone default clock() not null,
  workspace_id uuid,
  user_id uuid,
  token_id uuid,
  token_name text,
  address text,
  request_id text not null,
  operation text not null,
  subject text,
  subject_ids text[] not null,
  outcome text default 'begun'::text not null,
  before_hash bytea,
  after_hash bytea,
  changed_paths text[] default '{}'::text[] not null,
  changed_count integer default 0 not null,
  constraint audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['begun'::text, 'done'::text, 'failed'::text]))),
  constraint audit_entries_pkey PRIMARY KEY (id)
);

create table bot_changes (
  bot_id uuid not null,
  revision integer not null,
  set_id text not null,
  title text not null,
  changes json not null,
  inverse json not null,
  bytes integer not null,
  draft json,
  user_id uuid,
  token_id uuid,
  created_at timestamp(3) with time zone not null,
  origin text,
  constraint bot_changes_pkey PRIMARY KEY (bot_id, revision)
);

create table bots (
  id uuid not null,
  workspace_id uuid not null,
  folder_id uuid,
  version text not null,
  name text not null,
  icon text,
  events json,
  groups json not null,
  edges json not null,
  variables json not null,
  theme json not null,
  settings json not null,
  selected_theme_template_id text,
  results_table_preferences json,
  public_id text,
  custom_domain text,
  messenger_credentials_id text,
  risk_level double precision,
  is_closed boolean default false not null,
  is_archived boolean default false not null,
  publication_number integer,
  publication_count integer default 0 not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  canary_number integer,
  canary_percent smallint,
  canary_since timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  erase_after timestamp(3) with time zone,
  deleted_with uuid,
  was_archived boolean default false not null,
  former_public_id text,
  former_custom_domain text,
  ends_chats boolean default false not null,
  results_retention_days integer,
  revision integer default 0 not null,
  editor json,
  extra json,
  picture json,
  picture_revision integer,
  picture_at timestamp(3) with time zone,
  constraint bots_results_retention_days_check CHECK (((results_retention_days >= 1) AND (results_retention_days <= 3650))),
  constraint bots_pkey PRIMARY KEY (id)
);

create table channel_addresses (
  connection_id uuid not null,
  kind text not null,
  value text not null,
  contact_id uuid not null,
  constraint channel_addresses_pkey PRIMARY KEY (connection_id, kind, value)
);

create table channel_connections (
  id uuid not null,
  workspace_id uuid not null,
  channel text not null,
  name text not null,
  external_id text not null,
  display text,
  settings json not null,
  sealed bytea not null,
  previous bytea,
  previous_until timestamp(3) with time zone,
  hint json not null,
  bots json not null,
  is_enabled boolean not null,
  disabled_reason text,
  enabled_for text,
  refused_calls integer default 0 not null,
  refused_at timestamp(3) with time zone,
  refused_why text,
  last_call_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  deleted_at timestamp(3) with time zone,
  constraint channel_connections_pkey PRIMARY KEY (id)
);

create table channel_contacts (
  id uuid not null,
  connection_id uuid not null,
  kind text not null,
  name text,
  username text,
  language text,
  address_kind text not null,
  address_value text not null,
  opted_out_at timestamp(3) with time zone,
  blocked_at timestamp(3) with time zone,
  session_id uuid,
  result_id uuid,
  bot_id uuid,
  asked_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  next_sequence bigint default 1 not null,
  last_inbound_at timestamp(3) with time zone,
  no_bot_at timestamp(3) with time zone,
  unsupported_session_id uuid,
  failed_session_id uuid,
  created_at timestamp(3) with time zone default clock() not null,
  expiry_due_at timestamp(3) with time zone,
  constraint channel_contacts_pkey PRIMARY KEY (id)
) with (fillfactor=80);

create table channel_inbox (
  shard smallint not null,
  id uuid not null,
  connection_id uuid not null,
  provider_id text not null,
  contact_id uuid,
  kind text not null,
  content json,
  provider_time timestamp(3) with time zone,
  received_at timestamp(3) with time zone default clock() not null,
  sequence bigint not null,
  state text default 'waiting'::text not null,
  reason text,
  decision json,
  attempts integer default 0 not null,
  not_before timestamp(3) with time zone,
  session_id uuid,
  revision integer,
  constraint channel_inbox_pkey PRIMARY KEY (shard, id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=5000, autovacuum_analyze_threshold=5000, vacuum_truncate=false);

create table channel_leases (
  connection_id uuid not null,
  holder uuid,
  held_until timestamp(3) with time zone,
  wanted_by uuid,
  wanted_until timestamp(3) with time zone,
  last_update_id bigint,
  paused_until timestamp(3) with time zone,
  refusals integer default 0 not null,
  failing_since timestamp(3) with time zone,
  last_inbound_at timestamp(3) with time zone,
  last_outbound_at timestamp(3) with time zone,
  constraint channel_leases_pkey PRIMARY KEY (connection_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=false);

create table channel_media (
  connection_id uuid not null,
  source_hash bytea not null,
  type text not null,
  media_id text not null,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  constraint channel_media_pkey PRIMARY KEY (connection_id, source_hash, type)
);

create table channel_opt_outs (
  connection_id uuid not null,
  hash bytea not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint channel_opt_outs_pkey PRIMARY KEY (connection_id, hash)
);

create table channel_sendings (
  shard smallint not null,
  id uuid not null,
  connection_id uuid not null,
  contact_id uuid not null,
  sequence bigint not null,
  source text not null,
  session_id uuid,
  revision integer,
  "position" smallint,
  message json,
  choices json,
  delay_ms integer default 0 not null,
  not_before timestamp(3) with time zone,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  attempted_at timestamp(3) with time zone,
  provider_id text,
  error_class text,
  error_code text,
  error_detail text,
  created_at timestamp(3) with time zone default clock() not null,
  settled_at timestamp(3) with time zone,
  constraint channel_sendings_pkey PRIMARY KEY (shard, id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=5000, autovacuum_analyze_threshold=5000, vacuum_truncate=false);

create table channel_steps (
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  connection_id uuid not null,
  contact_id uuid not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint channel_steps_pkey PRIMARY KEY (shard, session_id, revision)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=false);

create table code_mails (
  email text not null,
  day date not null,
  mails integer not null,
  constraint code_mails_pkey PRIMARY KEY (email, day)
);

create table collaborators (
  bot_id uuid not null,
  user_id uuid not null,
  type text not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint collaborators_type_check CHECK ((type = ANY (ARRAY['READ'::text, 'WRITE'::text]))),
  constraint collaborators_pkey PRIMARY KEY (bot_id, user_id)
);

create table comment_reads (
  bot_id uuid not null,
  user_id uuid not null,
  seen_at timestamp(3) with time zone not null,
  constraint comment_reads_pkey PRIMARY KEY (bot_id, user_id)
);

create table comment_revisions (
  bot_id uuid not null,
  revision integer not null,
  constraint comment_revisions_pkey PRIMARY KEY (bot_id)
);

create table comments (
  id uuid not null,
  bot_id uuid not null,
  thread_id uuid not null,
  user_id uuid,
  place json,
  text text not null,
  mentions uuid[] not null,
  is_removed boolean default false not null,
  resolved_at timestamp(3) with time zone,
  resolved_by uuid,
  edited_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  constraint comments_pkey PRIMARY KEY (id)
);

create table counted_kinds (
  kind text not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint counted_kinds_pkey PRIMARY KEY (kind)
);

create table credentials (
  id uuid not null,
  workspace_id uuid not null,
  type text not null,
  name text not null,
  sealed bytea not null,
  hint json not null,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  last_problem text,
  last_problem_at timestamp(3) with time zone,
  constraint credentials_pkey PRIMARY KEY (id)
);

create table custom_domains (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  proof text not null,
  state text default 'pending'::text not null,
  proved_by text,
  unproved_since timestamp(3) with time zone default clock(),
  problem text,
  verified_at timestamp(3) with time zone,
  checked_at timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone default clock() not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint custom_domains_proved_by_check CHECK ((proved_by = ANY (ARRAY['dns'::text, 'file'::text]))),
  constraint custom_domains_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'verified'::text, 'failed'::text]))),
  constraint custom_domains_pkey PRIMARY KEY (id)
);

create table deferred_calls (
  id uuid not null,
  shard smallint not null,
  result_id uuid not null,
  bot_id uuid not null,
  content json not null,
  given_up_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  constraint deferred_calls_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=false);

create table due_steps (
  shard smallint not null,
  session_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  kind text not null,
  visit text,
  due timestamp(3) with time zone not null,
  content json,
  attempts integer default 0 not null,
  held_by uuid,
  held_until timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint due_steps_pkey PRIMARY KEY (shard, session_id, id)
);

create table effect_reports (
  shard smallint not null,
  session_id uuid not null,
  key bytea not null,
  report json not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint effect_reports_pkey PRIMARY KEY (shard, session_id, key)
);

create table event_deliveries (
  id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  bot_id uuid,
  result_id uuid,
  session_id uuid,
  order_key uuid not null,
  sequence bigint generated always as identity not null,
  content json,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp(3) with time zone default clock() not null,
  give_up_at timestamp(3) with time zone default (clock() + '3 days'::interval) not null,
  last_attempt_at timestamp(3) with time zone,
  last_status_code integer,
  last_error text,
  last_response text,
  created_at timestamp(3) with time zone default clock() not null,
  constraint event_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint event_deliveries_pkey PRIMARY KEY (id)
);

create table event_endpoints (
  id uuid not null,
  workspace_id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  is_enabled boolean default true not null,
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  unreachable_jobs integer default 0 not null,
  paused_until timestamp(3) with time zone,
  lease_id uuid,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  max_concurrency integer default 128 not null,
  batch_size integer default 1 not null,
  falling_behind_since timestamp(3) with time zone,
  giving_up_told_at timestamp(3) with time zone,
  listened_at timestamp(3) with time zone,
  constraint event_endpoints_pkey PRIMARY KEY (id)
);

create table event_lanes (
  endpoint_id uuid not null,
  lane smallint not null,
  holder uuid,
  held_until timestamp(3) with time zone,
  wanted_by uuid,
  wanted_until timestamp(3) with time zone,
  constraint event_lanes_pkey PRIMARY KEY (endpoint_id, lane)
);

create table files (
  shard smallint not null,
  id uuid not null,
  session_id uuid not null,
  number smallint not null,
  result_id uuid,
  bot_id uuid not null,
  block_id text not null,
  name text not null,
  extension text not null,
  type text not null,
  is_public boolean not null,
  max_bytes integer not null,
  url_expires_at timestamp(3) with time zone not null,
  storing_until timestamp(3) with time zone,
  bytes integer,
  hash bytea,
  stored_at timestamp(3) with time zone,
  is_answered boolean default false not null,
  is_removed boolean default false not null,
  remove_after timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  constraint files_pkey PRIMARY KEY (shard, id)
);

create table flows (
  bot_id uuid not null,
  hash bytea not null,
  content json not null,
  facts json not null,
  created_at timestamp(3) with time zone default clock() not null,
  used_at timestamp(3) with time zone default clock() not null,
  constraint flows_pkey PRIMARY KEY (bot_id, hash)
);

create table folders (
  id uuid not null,
  workspace_id uuid not null,
  parent_folder_id uuid,
  name text not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  deleted_at timestamp(3) with time zone,
  erase_after timestamp(3) with time zone,
  deleted_with uuid,
  lifted_folder_ids uuid[],
  lifted_bot_ids uuid[],
  constraint folders_pkey PRIMARY KEY (id)
);

create table insight_counts (
  bot_id uuid not null,
  unit text not null,
  starts_at timestamp(0) with time zone not null,
  version integer not null,
  measures integer[] not null,
  chats integer[] not null,
  times integer[] not null,
  constraint insight_counts_pkey PRIMARY KEY (bot_id, unit, starts_at, version)
);

create table insight_measures (
  id integer generated always as identity not null,
  bot_id uuid not null,
  kind text not null,
  subject text not null,
  value text not null,
  constraint insight_measures_pkey PRIMARY KEY (id)
);

create table insight_progress (
  is_only boolean default true not null,
  counted_until timestamp(3) with time zone,
  found_until timestamp(3) with time zone,
  count_turn uuid,
  count_taken integer default 0 not null,
  read_turn uuid,
  read_taken integer default 0 not null,
  constraint insight_progress_is_only_check CHECK (is_only),
  constraint insight_progress_pkey PRIMARY KEY (is_only)
);

create table insight_results (
  shard smallint not null,
  result_id uuid not null,
  bot_id uuid,
  version integer,
  created_at timestamp(3) with time zone,
  measures integer[] default '{}'::integer[] not null,
  times integer[] default '{}'::integer[] not null,
  is_counted boolean default false not null,
  revision integer default 0 not null,
  counted_change timestamp(3) with time zone,
  counted_steps integer,
  next_at timestamp(3) with time zone default clock(),
  constraint insight_results_pkey PRIMARY KEY (shard, result_id)
);

create table instance_defaults (
  is_only boolean default true not null,
  anonymous_megabytes_a_day integer not null,
  constraint instance_defaults_is_only_check CHECK (is_only),
  constraint instance_defaults_pkey PRIMARY KEY (is_only)
);

create table instance_keys (
  name text not null,
  key bytea not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint instance_keys_pkey PRIMARY KEY (name)
);

create table invitations (
  id uuid not null,
  workspace_id uuid not null,
  email text not null,
  role text not null,
  code_hash bytea not null,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  bot_id uuid,
  type text,
  invited_by uuid,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'MEMBER'::text, 'GUEST'::text]))),
  constraint invitations_type_check CHECK ((type = ANY (ARRAY['READ'::text, 'WRITE'::text]))),
  constraint invitations_pkey PRIMARY KEY (id)
);

create table job_logs (
  id bigint generated always as identity not null,
  job_id uuid not null,
  at timestamp(3) with time zone default clock() not null,
  line text not null,
  constraint job_logs_pkey PRIMARY KEY (id)
);

create table known_timelines (
  system_identifier text not null,
  timeline bigint not null,
  epoch integer default 0 not null,
  told_epoch integer default 0 not null,
  noted_at timestamp(3) with time zone default clock() not null,
  constraint known_timelines_pkey PRIMARY KEY (system_identifier)
);

create table logs (
  shard smallint not null,
  result_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  status text not null,
  description text not null,
  details text,
  context text,
  created_at timestamp(3) with time zone default clock() not null,
  "position" bigint default nextval('logs_position'::regclass),
  block_id text,
  reason text,
  constraint logs_pkey PRIMARY KEY (shard, result_id, id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);

create table mails (
  id uuid not null,
  shard smallint not null,
  result_id uuid not null,
  bot_id uuid not null,
  content json not null,
  given_up_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  constraint mails_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=false);

create table members (
  workspace_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint members_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'MEMBER'::text, 'GUEST'::text]))),
  constraint members_pkey PRIMARY KEY (workspace_id, user_id)
);

create table migrations (
  name text not null,
  hash text not null,
  applied_at timestamp(3) with time zone default date_trunc('milliseconds'::text, statement_timestamp()) not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table model_calls (
  shard smallint not null,
  result_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  workspace_id uuid not null,
  session_id uuid not null,
  block_id text not null,
  type text not null,
  model text not null,
  ended text not null,
  tries smallint not null,
  first_text_ms integer,
  duration_ms integer not null,
  tokens_in bigint,
  tokens_cached bigint,
  tokens_out bigint,
  is_estimated boolean not null,
  money numeric,
  request text not null,
  answer text,
  created_at timestamp(3) with time zone default clock() not null,
  constraint model_calls_pkey PRIMARY KEY (shard, result_id, id)
);

create table model_prices (
  workspace_id uuid not null,
  type text not null,
  model text not null,
  price_in numeric not null,
  price_cached numeric not null,
  price_out numeric not null,
  constraint model_prices_price_cached_check CHECK ((price_cached >= (0)::numeric)),
  constraint model_prices_price_in_check CHECK ((price_in >= (0)::numeric)),
  constraint model_prices_price_out_check CHECK ((price_out >= (0)::numeric)),
  constraint model_prices_pkey PRIMARY KEY (workspace_id, type, model)
);

create table model_reservations (
  workspace_id uuid not null,
  id uuid not null,
  bot_id uuid not null,
  type text not null,
  model text not null,
  tokens bigint not null,
  money numeric not null,
  created_at timestamp(3) with time zone default clock() not null,
  sent_tokens bigint default 0 not null,
  sent_money numeric default 0 not null,
  constraint model_reservations_pkey PRIMARY KEY (workspace_id, id)
);

create table model_settings (
  workspace_id uuid not null,
  day_tokens bigint,
  day_money numeric,
  month_tokens bigint,
  month_money numeric,
  keep_calls_days smallint not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint model_settings_day_money_check CHECK ((day_money >= (0)::numeric)),
  constraint model_settings_day_tokens_check CHECK ((day_tokens >= 0)),
  constraint model_settings_keep_calls_days_check CHECK (((keep_calls_days >= 0) AND (keep_calls_days <= 90))),
  constraint model_settings_month_money_check CHECK ((month_money >= (0)::numeric)),
  constraint model_settings_month_tokens_check CHECK ((month_tokens >= 0)),
  constraint model_settings_pkey PRIMARY KEY (workspace_id)
);

create table model_spending (
  workspace_id uuid not null,
  bot_id uuid not null,
  day date default '1970-01-01'::date not null,
  day_tokens bigint default 0 not null,
  day_money numeric default 0 not null,
  month_tokens bigint default 0 not null,
  month_money numeric default 0 not null,
  reserved_tokens bigint default 0 not null,
  reserved_money numeric default 0 not null,
  told jsonb default '{}'::jsonb not null,
  constraint model_spending_pkey PRIMARY KEY (workspace_id, bot_id)
) with (fillfactor=50);

create table model_usage (
  workspace_id uuid not null,
  day date default ((clock() AT TIME ZONE 'UTC'::text))::date not null,
  bot_id uuid not null,
  type text not null,
  model text not null,
  calls bigint default 0 not null,
  tokens_in bigint default 0 not null,
  tokens_cached bigint default 0 not null,
  tokens_out bigint default 0 not null,
  money numeric,
  constraint model_usage_pkey PRIMARY KEY (workspace_id, day, bot_id, type, model)
);

create unlogged table nested_starts (
  key text not null,
  starts integer not null,
  counted_from timestamp(3) with time zone not null,
  constraint nested_starts_pkey PRIMARY KEY (key)
) with (fillfactor=50);

create table oauth_states (
  hash bytea not null,
  workspace_id uuid not null,
  user_id uuid not null,
  credentials_id uuid,
  sealed bytea not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint oauth_states_pkey PRIMARY KEY (hash)
);

create table outbox (
  id uuid not null,
  queue text not null,
  order_key text,
  data json not null,
  run_at timestamp(3) with time zone default clock() not null,
  constraint outbox_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=false);

create table page_views (
  bot_id uuid not null,
  unit text not null,
  starts_at timestamp(0) with time zone not null,
  version integer not null,
  count bigint not null,
  constraint page_views_pkey PRIMARY KEY (bot_id, unit, starts_at, version)
);

create table paused_queues (
  queue text not null,
  paused_at timestamp(3) with time zone default clock() not null,
  constraint paused_queues_pkey PRIMARY KEY (queue)
);

create table payments (
  shard smallint not null,
  id uuid not null,
  session_id uuid not null,
  bot_id uuid not null,
  result_id uuid,
  block_id text not null,
  credentials_id uuid not null,
  is_test boolean not null,
  amount integer not null,
  currency text not null,
  details json,
  status text default 'open'::text not null,
  attempt integer default 1 not null,
  is_checkout boolean default false not null,
  intent_id text,
  checkout_id text,
  taken_revision integer,
  is_late boolean default false not null,
  next_check_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  linked_result_id uuid,
  constraint payments_pkey PRIMARY KEY (shard, id)
);

create table person_erasures (
  id uuid not null,
  workspace_id uuid not null,
  user_id uuid not null,
  variable text not null,
  salt bytea not null,
  value_hash bytea not null,
  is_complete boolean not null,
  bots json not null,
  created_at timestamp(3) with time zone default clock() not null,
  match text default 'exact'::text not null,
  exports json default '[]'::json not null,
  constraint person_erasures_pkey PRIMARY KEY (id)
);

create unlogged table presences (
  bot_id uuid not null,
  id text not null,
  user_id uuid not null,
  at text,
  seen_at timestamp(3) with time zone not null,
  place json,
  constraint presences_pkey PRIMARY KEY (bot_id, id)
);

create table problem_alarms (
  bot_id uuid not null,
  raised_at timestamp(3) with time zone not null,
  constraint problem_alarms_pkey PRIMARY KEY (bot_id)
);

create table problem_examples (
  bot_id uuid not null,
  block_id text not null,
  reason text not null,
  shard smallint not null,
  result_id uuid not null,
  seen_at timestamp(3) with time zone not null,
  constraint problem_examples_pkey PRIMARY KEY (bot_id, block_id, reason)
);

create table publications (
  bot_id uuid not null,
  number integer not null,
  id uuid not null,
  flow_hash bytea not null,
  published_by uuid,
  note text,
  created_at timestamp(3) with time zone default clock() not null,
  is_draft boolean default false not null,
  moves_chats_until timestamp(3) with time zone,
  overruled_rules text[],
  draft_revision integer,
  is_only_canary boolean default false not null,
  constraint publications_pkey PRIMARY KEY (bot_id, number)
);

create unlogged table rate_limit_debts (
  key text not null,
  debt_ms double precision not null,
  updated_at timestamp(3) with time zone not null,
  constraint rate_limit_debts_pkey PRIMARY KEY (key)
) with (fillfactor=50);

create table request_keys (
  owner_id uuid not null,
  key text not null,
  request_hash bytea not null,
  created_at timestamp(3) with time zone default clock() not null,
  answer bytea,
  workspace_id uuid,
  bot_id uuid,
  shows boolean,
  constraint request_keys_pkey PRIMARY KEY (owner_id, key)
);

create table result_exports (
  id uuid not null,
  bot_id uuid not null,
  user_id uuid not null,
  format text not null,
  file_name text not null,
  list json not null,
  status text default 'waiting'::text not null,
  written_results integer default 0 not null,
  expected_results integer,
  bytes bigint,
  problem text,
  created_at timestamp(3) with time zone default clock() not null,
  ready_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone default (clock() + '7 days'::interval) not null,
  attempt integer default 0 not null,
  parts json,
  as_of timestamp(3) with time zone,
  constraint result_exports_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'ready'::text, 'failed'::text]))),
  constraint result_exports_pkey PRIMARY KEY (id)
);

create table result_values (
  shard smallint not null,
  result_id uuid not null,
  name text not null,
  value text not null,
  bot_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint result_values_pkey PRIMARY KEY (shard, result_id, name, value)
);

create table result_walks (
  shard smallint not null,
  result_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  session_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  answers_from uuid default '00000000-0000-0000-0000-000000000000'::uuid,
  constraint result_walks_pkey PRIMARY KEY (shard)
);

create table results (
  shard smallint not null,
  id uuid not null,
  bot_id uuid not null,
  variables json default '[]'::json not null,
  has_started boolean default false not null,
  is_completed boolean default false not null,
  is_archived boolean default false not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  publication_number integer,
  erase_after timestamp(3) with time zone,
  tags text[],
  note text,
  is_paid boolean default false not null,
  writer_session_id uuid,
  channel text,
  contact_id uuid,
  constraint results_pkey PRIMARY KEY (shard, id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05, autovacuum_analyze_threshold=5000, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=5000);

create table results_to_read (
  shard smallint not null,
  result_id uuid not null,
  read_at timestamp(3) with time zone,
  times_read smallint default 0 not null,
  next_at timestamp(3) with time zone default clock() not null,
  bot_id uuid,
  constraint results_to_read_pkey PRIMARY KEY (shard, result_id)
);

create table secrets (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  sealed bytea not null,
  hosts text[],
  note text,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint secrets_pkey PRIMARY KEY (id)
);

create table sessions (
  shard smallint not null,
  id uuid not null,
  bot_id uuid not null,
  flow_hash bytea not null,
  publication_number integer,
  result_id uuid,
  revision integer not null,
  last_step_id uuid,
  state text not null,
  allowed_origins text[],
  lifetime_minutes integer not null,
  expires_at timestamp(3) with time zone not null,
  expires_hour timestamp(0) with time zone not null,
  is_ended boolean default false not null,
  dialect text not null,
  is_anonymous boolean default false not null,
  claim_step_id uuid,
  claim_hash bytea,
  claim_now timestamp(3) with time zone,
  claim_seed text,
  claim_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  previewed_by uuid,
  moving_to integer,
  channel_contact_id uuid,
  constraint sessions_pkey PRIMARY KEY (shard, id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05, vacuum_truncate=false, autovacuum_analyze_threshold=5000, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=5000);

create table sign_in_codes (
  id uuid not null,
  kind text not null,
  user_id uuid,
  email text,
  hash bytea not null,
  tries integer default 0 not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint sign_in_codes_kind_check CHECK ((kind = ANY (ARRAY['link'::text, 'email'::text, 'address'::text]))),
  constraint sign_in_codes_pkey PRIMARY KEY (id)
);

create table sign_ins (
  id uuid not null,
  hash bytea not null,
  user_id uuid not null,
  method text not null,
  token_id uuid,
  browser text not null,
  created_at timestamp(3) with time zone default clock() not null,
  last_used_at timestamp(3) with time zone default clock() not null,
  constraint sign_ins_method_check CHECK ((method = ANY (ARRAY['link'::text, 'token'::text, 'email'::text, 'invitation'::text]))),
  constraint sign_ins_pkey PRIMARY KEY (id),
  constraint sign_ins_hash_key UNIQUE (hash)
);

create table start_keys (
  scope text not null,
  key text not null,
  request_hash bytea not null,
  session_id uuid,
  response json,
  claim_now timestamp(3) with time zone,
  claim_seed text,
  claim_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  claim_session_id uuid,
  claim_result_id uuid,
  claim_step_id uuid,
  public_id text,
  constraint start_keys_pkey PRIMARY KEY (scope, key)
) with (autovacuum_vacuum_scale_factor=0.05, vacuum_truncate=false);

create table steps (
  shard smallint not null,
  session_id uuid not null,
  revision integer not null,
  id uuid not null,
  bot_id uuid not null,
  key text,
  request_hash bytea,
  reply json,
  response json not null,
  created_at timestamp(3) with time zone default clock() not null,
  state_before text,
  went_back_to integer,
  inputs text,
  trace text,
  constraint steps_pkey PRIMARY KEY (shard, session_id, revision)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, vacuum_truncate=false, autovacuum_analyze_threshold=5000, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=5000);

create table test_conversations (
  bot_id uuid not null,
  name text not null,
  conversation json not null,
  is_required boolean not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint test_conversations_pkey PRIMARY KEY (bot_id, name)
);

create table theme_templates (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  theme json not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  constraint theme_templates_pkey PRIMARY KEY (id)
);

create table upload_days (
  workspace_id uuid not null,
  day date not null,
  bytes bigint not null,
  refused_at timestamp(3) with time zone,
  warned_at timestamp(3) with time zone,
  constraint upload_days_pkey PRIMARY KEY (workspace_id, day)
);

create table users (
  id uuid not null,
  name text not null,
  email text,
  is_administrator boolean default false not null,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  deactivated_at timestamp(3) with time zone,
  preferences json,
  signed_in_at timestamp(3) with time zone,
  constraint users_pkey PRIMARY KEY (id)
);

create table visited_edges (
  shard smallint not null,
  result_id uuid not null,
  session_id uuid not null,
  "position" integer not null,
  bot_id uuid not null,
  edge_id text not null,
  created_at timestamp(3) with time zone default clock() not null,
  constraint visited_edges_pkey PRIMARY KEY (shard, result_id, session_id, "position")
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);

create table workspace_files (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  extension text not null,
  type text not null,
  bytes integer not null,
  hash bytea not null,
  uploaded_by uuid,
  stored_at timestamp(3) with time zone,
  is_removed boolean default false not null,
  remove_after timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  copied_from uuid,
  constraint workspace_files_pkey PRIMARY KEY (id)
);

create table workspaces (
  id uuid not null,
  name text not null,
  icon text,
  plan text default 'FREE'::text not null,
  payment_provider_id text,
  is_suspended boolean default false not null,
  is_past_due boolean default false not null,
  is_verified boolean default false not null,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default clock() not null,
  updated_at timestamp(3) with time zone default clock() not null,
  erase_after timestamp(3) with time zone,
  suspended_at timestamp(3) with time zone,
  suspended_reason text,
  brand json,
  constraint workspaces_pkey PRIMARY KEY (id)
);

alter table answers alter column content set statistics 0;
alter table answers alter column attached_file_urls set statistics 0;
alter table event_deliveries alter column endpoint_id set statistics 0;
alter table event_deliveries alter column order_key set statistics 0;
alter table files alter column name set statistics 0;
alter table logs alter column description set statistics 0;
alter table logs alter column details set statistics 0;
alter table model_calls alter column request set statistics 0;
alter table model_calls alter column answer set statistics 0;
alter table result_exports alter column list set statistics 0;
alter table result_exports alter column parts set statistics 0;
alter table result_values alter column value set statistics 0;
alter table results alter column tags set statistics 0;
alter table results alter column note set statistics 0;
alter table sessions alter column state set statistics 0;
alter table steps alter column key set statistics 0;
alter table steps alter column state_before set statistics 0;
alter table steps alter column inputs set statistics 0;
alter table steps alter column trace set statistics 0;

CREATE INDEX anonymous_previews_age ON public.anonymous_previews USING btree (created_at);

CREATE INDEX answer_ratings_result ON public.answer_ratings USING btree (shard, result_id);

CREATE INDEX api_tokens_ends_with ON public.api_tokens USING btree (ends_with) WHERE (ends_with IS NOT NULL);

CREATE UNIQUE INDEX api_tokens_hash ON public.api_tokens USING btree (hash);

CREATE UNIQUE INDEX api_tokens_instance ON public.api_tokens USING btree (is_instance_token) WHERE is_instance_token;

CREATE INDEX api_tokens_user ON public.api_tokens USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX api_tokens_workspace ON public.api_tokens USING btree (workspace_id);

CREATE INDEX audit_entries_list ON public.audit_entries USING btree (created_at DESC, id DESC);

CREATE INDEX audit_entries_workspace ON public.audit_entries USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX bot_changes_age ON public.bot_changes USING btree (created_at);

CREATE UNIQUE INDEX bot_changes_set ON public.bot_changes USING btree (bot_id, set_id);

CREATE INDEX bots_archive ON public.bots USING btree (workspace_id, created_at DESC, id DESC) WHERE (is_archived AND (deleted_at IS NULL));

CREATE INDEX bots_bin ON public.bots USING btree (workspace_id, deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);

CREATE INDEX bots_by_change ON public.bots USING btree (workspace_id, updated_at DESC, id DESC) WHERE (NOT is_archived);

CREATE INDEX bots_by_name ON public.bots USING btree (workspace_id, lower(name), id) WHERE (NOT is_archived);

CREATE UNIQUE INDEX bots_custom_domain ON public.bots USING btree (lower(custom_domain), workspace_id);

CREATE INDEX bots_due ON public.bots USING btree (erase_after) WHERE (erase_after IS NOT NULL);

CREATE INDEX bots_ending ON public.bots USING btree (deleted_at) WHERE ends_chats;

CREATE INDEX bots_folder ON public.bots USING btree (workspace_id, folder_id, created_at DESC, id DESC) WHERE (NOT is_archived);

CREATE INDEX bots_folder_key ON public.bots USING btree (folder_id);

CREATE INDEX bots_many_changes ON public.bots USING btree (revision) WHERE (revision > 10000);

CREATE UNIQUE INDEX bots_public_id ON public.bots USING btree (lower(public_id));

CREATE INDEX bots_retention ON public.bots USING btree (id) WHERE (results_retention_days IS NOT NULL);

CREATE INDEX bots_search ON public.bots USING gin (name gin_trgm_ops, public_id gin_trgm_ops);

CREATE INDEX bots_to_picture ON public.bots USING btree (id) WHERE ((NOT is_archived) AND (picture_revision IS DISTINCT FROM revision));

CREATE INDEX bots_workspace ON public.bots USING btree (workspace_id, created_at DESC, id DESC) WHERE (NOT is_archived);

CREATE INDEX bots_workspace_key ON public.bots USING btree (workspace_id);

CREATE INDEX channel_addresses_contact ON public.channel_addresses USING btree (contact_id);

CREATE INDEX channel_connections_asked ON public.channel_connections USING btree (id) WHERE (is_enabled AND (deleted_at IS NULL) AND (COALESCE((settings ->> 'transport'::text), ''::text) = 'poll'::text));

CREATE UNIQUE INDEX channel_connections_external ON public.channel_connections USING btree (channel, external_id) WHERE (deleted_at IS NULL);

CREATE INDEX channel_connections_left ON public.channel_connections USING btree (created_at) WHERE ((NOT is_enabled) AND (disabled_reason = 'unregistered'::text));

CREATE INDEX channel_connections_workspace ON public.channel_connections USING btree (workspace_id, created_at, id);

CREATE INDEX channel_contacts_connection ON public.channel_contacts USING btree (connection_id, COALESCE(last_inbound_at, created_at) DESC, id DESC);

CREATE INDEX channel_contacts_expiry ON public.channel_contacts USING btree (connection_id, expiry_due_at) WHERE (expiry_due_at IS NOT NULL);

CREATE INDEX channel_contacts_session ON public.channel_contacts USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX channel_inbox_age ON public.channel_inbox USING btree (received_at);

CREATE INDEX channel_inbox_contact ON public.channel_inbox USING btree (contact_id, id) WHERE (contact_id IS NOT NULL);

CREATE INDEX channel_inbox_content ON public.channel_inbox USING btree (connection_id, received_at) WHERE (content IS NOT NULL);

CREATE UNIQUE INDEX channel_inbox_once ON public.channel_inbox USING btree (shard, connection_id, provider_id);

CREATE INDEX channel_inbox_session ON public.channel_inbox USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX channel_inbox_waiting ON public.channel_inbox USING btree (connection_id, sequence, id) WHERE (state = 'waiting'::text);

CREATE INDEX channel_sendings_age ON public.channel_sendings USING btree (created_at);

CREATE INDEX channel_sendings_contact ON public.channel_sendings USING btree (contact_id, sequence);

CREATE INDEX channel_sendings_content ON public.channel_sendings USING btree (connection_id, created_at) WHERE (message IS NOT NULL);

CREATE INDEX channel_sendings_failed ON public.channel_sendings USING btree (contact_id, sequence) WHERE (state = 'failed'::text);

CREATE UNIQUE INDEX channel_sendings_once ON public.channel_sendings USING btree (shard, session_id, revision, "position") WHERE (session_id IS NOT NULL);

CREATE INDEX channel_sendings_open ON public.channel_sendings USING btree (connection_id, contact_id, sequence) WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text]));

CREATE INDEX channel_sendings_provider ON public.channel_sendings USING btree (connection_id, provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX channel_sendings_session ON public.channel_sendings USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX channel_steps_connection ON public.channel_steps USING btree (connection_id, contact_id, session_id, revision);

CREATE INDEX collaborators_list ON public.collaborators USING btree (bot_id, created_at DESC, user_id DESC);

CREATE INDEX collaborators_user ON public.collaborators USING btree (user_id, bot_id);

CREATE INDEX comment_reads_user ON public.comment_reads USING btree (user_id);

CREATE INDEX comments_list ON public.comments USING btree (bot_id, created_at DESC, id DESC);

CREATE INDEX comments_resolved_by ON public.comments USING btree (resolved_by) WHERE (resolved_by IS NOT NULL);

CREATE INDEX comments_user ON public.comments USING btree (user_id);

CREATE INDEX credentials_list ON public.credentials USING btree (workspace_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX custom_domains_claim ON public.custom_domains USING btree (workspace_id, name);

CREATE INDEX custom_domains_due ON public.custom_domains USING btree (next_check_at) WHERE (state <> 'failed'::text);

CREATE INDEX custom_domains_list ON public.custom_domains USING btree (workspace_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX custom_domains_verified ON public.custom_domains USING btree (name) WHERE (state = 'verified'::text);

CREATE INDEX deferred_calls_age ON public.deferred_calls USING btree (created_at);

CREATE INDEX deferred_calls_result ON public.deferred_calls USING btree (shard, result_id);

CREATE INDEX due_steps_free ON public.due_steps USING btree (held_until);

CREATE INDEX effect_reports_age ON public.effect_reports USING btree (created_at);

CREATE INDEX event_deliveries_lane ON public.event_deliveries USING btree (event_lane(order_key), endpoint_id, next_attempt_at, sequence) WHERE ((status || ''::text) = 'pending'::text);

CREATE INDEX event_deliveries_list ON public.event_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX event_deliveries_once ON public.event_deliveries USING btree (result_id, endpoint_id, type) WHERE (type = ANY (ARRAY['result.started'::text, 'result.completed'::text]));

CREATE INDEX event_deliveries_order ON public.event_deliveries USING btree (order_key, endpoint_id, sequence) WHERE (status = 'pending'::text);

CREATE INDEX event_deliveries_result ON public.event_deliveries USING btree (result_id) WHERE (result_id IS NOT NULL);

CREATE INDEX event_deliveries_undelivered ON public.event_deliveries USING btree (endpoint_id, status, created_at DESC, id DESC) WHERE ((status || ''::text) <> 'delivered'::text);

CREATE INDEX event_endpoints_list ON public.event_endpoints USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX event_lanes_holder ON public.event_lanes USING btree (holder) WHERE (holder IS NOT NULL);

CREATE INDEX files_of_previews ON public.files USING btree (created_at) WHERE ((result_id IS NULL) AND (NOT is_removed));

CREATE INDEX files_open ON public.files USING btree (created_at) WHERE ((NOT is_answered) AND (NOT is_removed));

CREATE INDEX files_removed ON public.files USING btree (remove_after) WHERE is_removed;

CREATE INDEX files_result ON public.files USING btree (shard, result_id, created_at DESC, id DESC) WHERE (result_id IS NOT NULL);

CREATE UNIQUE INDEX files_session ON public.files USING btree (shard, session_id, number);

CREATE INDEX folders_bin ON public.folders USING btree (workspace_id, deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL);

CREATE INDEX folders_due ON public.folders USING btree (erase_after) WHERE (erase_after IS NOT NULL);

CREATE INDEX folders_list ON public.folders USING btree (workspace_id, parent_folder_id, created_at DESC, id DESC);

CREATE INDEX folders_parent ON public.folders USING btree (parent_folder_id);

CREATE UNIQUE INDEX insight_measures_key ON public.insight_measures USING btree (bot_id, kind, subject, value);

CREATE INDEX insight_results_bot ON public.insight_results USING btree (bot_id, next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX insight_results_due ON public.insight_results USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX insight_results_unowned ON public.insight_results USING btree (next_at) WHERE ((bot_id IS NULL) AND (next_at IS NOT NULL));

CREATE INDEX invitations_bot ON public.invitations USING btree (bot_id) WHERE (bot_id IS NOT NULL);

CREATE UNIQUE INDEX invitations_code ON public.invitations USING btree (code_hash);

CREATE INDEX invitations_expiry ON public.invitations USING btree (expires_at);

CREATE UNIQUE INDEX invitations_place ON public.invitations USING btree (workspace_id, lower(email), bot_id) NULLS NOT DISTINCT;

CREATE INDEX invitations_workspace ON public.invitations USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX job_logs_at ON public.job_logs USING btree (at);

CREATE INDEX job_logs_job ON public.job_logs USING btree (job_id, id);

CREATE INDEX mails_age ON public.mails USING btree (created_at);

CREATE INDEX mails_result ON public.mails USING btree (shard, result_id);

CREATE INDEX members_list ON public.members USING btree (workspace_id, created_at DESC, user_id DESC);

CREATE INDEX members_user ON public.members USING btree (user_id, workspace_id);

CREATE INDEX model_calls_age ON public.model_calls USING btree (workspace_id, created_at);

CREATE INDEX oauth_states_by_credentials ON public.oauth_states USING btree (credentials_id);

CREATE INDEX oauth_states_by_user ON public.oauth_states USING btree (user_id, created_at);

CREATE INDEX oauth_states_by_workspace ON public.oauth_states USING btree (workspace_id);

CREATE INDEX outbox_due ON public.outbox USING btree (queue, run_at, id);

CREATE UNIQUE INDEX payments_intent ON public.payments USING btree (shard, intent_id) WHERE (intent_id IS NOT NULL);

CREATE INDEX payments_of_bot ON public.payments USING btree (bot_id) WHERE ((status = 'succeeded'::text) AND (NOT is_test));

CREATE INDEX payments_of_result ON public.payments USING btree (shard, result_id) WHERE (result_id IS NOT NULL);

CREATE INDEX payments_of_session ON public.payments USING btree (shard, session_id);

CREATE INDEX payments_to_check ON public.payments USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

CREATE INDEX person_erasures_list ON public.person_erasures USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX presences_age ON public.presences USING btree (seen_at);

CREATE INDEX publications_moving ON public.publications USING btree (bot_id) WHERE (moves_chats_until IS NOT NULL);

CREATE INDEX request_keys_age ON public.request_keys USING btree (created_at);

CREATE INDEX request_keys_bot ON public.request_keys USING btree (bot_id) WHERE (bot_id IS NOT NULL);

CREATE INDEX request_keys_workspace ON public.request_keys USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);

CREATE INDEX result_exports_due ON public.result_exports USING btree (expires_at);

CREATE INDEX result_exports_list ON public.result_exports USING btree (bot_id, created_at DESC, id DESC);

CREATE INDEX result_values_folded ON public.result_values USING btree (bot_id, name, "left"(folded(value), 64), created_at DESC, result_id DESC);

CREATE INDEX result_values_search ON public.result_values USING btree (bot_id, name, value, created_at DESC, result_id DESC);

CREATE INDEX results_archived ON public.results USING btree (bot_id) WHERE is_archived;

CREATE INDEX results_bin ON public.results USING btree (bot_id, erase_after DESC, id DESC) WHERE (erase_after IS NOT NULL);

CREATE INDEX results_binned ON public.results USING btree (bot_id, created_at) WHERE (erase_after IS NOT NULL);

CREATE INDEX results_contact ON public.results USING btree (bot_id, contact_id, created_at DESC, id DESC) WHERE (contact_id IS NOT NULL);

CREATE INDEX results_due ON public.results USING btree (erase_after) WHERE (erase_after IS NOT NULL);

CREATE INDEX results_list ON public.results USING btree (bot_id, created_at DESC, id DESC) WHERE (NOT is_archived);

CREATE INDEX results_started ON public.results USING btree (bot_id, created_at DESC, id DESC) WHERE ((NOT is_archived) AND has_started);

CREATE INDEX results_tagged ON public.results USING btree (bot_id, created_at DESC, id DESC) WHERE ((NOT is_archived) AND (tags IS NOT NULL));

CREATE INDEX results_to_read_bot ON public.results_to_read USING btree (bot_id, next_at);

CREATE INDEX results_to_read_due ON public.results_to_read USING btree (next_at);

CREATE INDEX results_to_read_unowned ON public.results_to_read USING btree (next_at) WHERE (bot_id IS NULL);

CREATE UNIQUE INDEX secrets_name ON public.secrets USING btree (workspace_id, name);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_hour);

CREATE INDEX sessions_flow ON public.sessions USING btree (bot_id, flow_hash);

CREATE INDEX sessions_previews ON public.sessions USING btree (bot_id) WHERE (publication_number IS NULL);

CREATE INDEX sessions_result ON public.sessions USING btree (shard, result_id, id DESC) WHERE (result_id IS NOT NULL);

CREATE UNIQUE INDEX sign_in_codes_address ON public.sign_in_codes USING btree (user_id) WHERE (kind = 'address'::text);

CREATE INDEX sign_in_codes_age ON public.sign_in_codes USING btree (created_at);

CREATE UNIQUE INDEX sign_in_codes_email ON public.sign_in_codes USING btree (lower(email)) WHERE (kind = 'email'::text);

CREATE UNIQUE INDEX sign_in_codes_link ON public.sign_in_codes USING btree (hash) WHERE (kind = 'link'::text);

CREATE INDEX sign_in_codes_user ON public.sign_in_codes USING btree (user_id);

CREATE INDEX sign_ins_age ON public.sign_ins USING btree (last_used_at);

CREATE INDEX sign_ins_list ON public.sign_ins USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX sign_ins_token ON public.sign_ins USING btree (token_id);

CREATE INDEX start_keys_age ON public.start_keys USING btree (created_at);

CREATE INDEX start_keys_session ON public.start_keys USING btree (session_id);

CREATE UNIQUE INDEX steps_key ON public.steps USING btree (shard, session_id, key) WHERE (key IS NOT NULL);

CREATE INDEX theme_templates_list ON public.theme_templates USING btree (workspace_id, created_at DESC, id DESC);

CREATE INDEX upload_days_day ON public.upload_days USING btree (day);

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

CREATE INDEX users_list ON public.users USING btree (created_at DESC, id DESC);

CREATE INDEX workspace_files_copied_from ON public.workspace_files USING btree (copied_from) WHERE (copied_from IS NOT NULL);

CREATE INDEX workspace_files_list ON public.workspace_files USING btree (workspace_id, created_at DESC, id DESC) WHERE (NOT is_removed);

CREATE INDEX workspace_files_open ON public.workspace_files USING btree (created_at) WHERE ((stored_at IS NULL) AND (NOT is_removed));

CREATE INDEX workspace_files_removed ON public.workspace_files USING btree (remove_after) WHERE is_removed;

CREATE INDEX workspaces_due ON public.workspaces USING btree (erase_after) WHERE (erase_after IS NOT NULL);

CREATE INDEX workspaces_suspended ON public.workspaces USING btree (id) WHERE is_suspended;

CREATE INDEX workspaces_suspensions ON public.workspaces USING btree (suspended_at DESC, id DESC) WHERE (suspended_at IS NOT NULL);

alter table api_tokens add constraint api_tokens_ends_with_fkey FOREIGN KEY (ends_with) REFERENCES api_tokens(id) ON DELETE CASCADE;

alter table api_tokens add constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table api_tokens add constraint api_tokens_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table bot_changes add constraint bot_changes_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table bots add constraint bots_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table bots add constraint bots_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table channel_connections add constraint channel_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table channel_leases add constraint channel_leases_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES channel_connections(id) ON DELETE CASCADE;

alter table collaborators add constraint collaborators_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table collaborators add constraint collaborators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table comment_reads add constraint comment_reads_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table comment_reads add constraint comment_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table comment_revisions add constraint comment_revisions_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table comments add constraint comments_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table comments add constraint comments_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES users(id) ON DELETE SET NULL;

alter table comments add constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL;

alter table credentials add constraint credentials_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table custom_domains add constraint custom_domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table event_endpoints add constraint event_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table event_lanes add constraint event_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES event_endpoints(id) ON DELETE CASCADE;

alter table folders add constraint folders_parent_folder_id_fkey FOREIGN KEY (parent_folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table folders add constraint folders_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table insight_counts add constraint insight_counts_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table insight_measures add constraint insight_measures_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table invitations add constraint invitations_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table invitations add constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table members add constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table members add constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table model_prices add constraint model_prices_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table model_reservations add constraint model_reservations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table model_settings add constraint model_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table model_spending add constraint model_spending_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table model_usage add constraint model_usage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table oauth_states add constraint oauth_states_credentials_id_fkey FOREIGN KEY (credentials_id) REFERENCES credentials(id) ON DELETE CASCADE;

alter table oauth_states add constraint oauth_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table oauth_states add constraint oauth_states_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table page_views add constraint page_views_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table person_erasures add constraint person_erasures_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table presences add constraint presences_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table problem_alarms add constraint problem_alarms_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table problem_examples add constraint problem_examples_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table publications add constraint publications_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table secrets add constraint secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table sign_in_codes add constraint sign_in_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table sign_ins add constraint sign_ins_token_id_fkey FOREIGN KEY (token_id) REFERENCES api_tokens(id) ON DELETE CASCADE;

alter table sign_ins add constraint sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table test_conversations add constraint test_conversations_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

alter table theme_templates add constraint theme_templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

alter table upload_days add constraint upload_days_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
