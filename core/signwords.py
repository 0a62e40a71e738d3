"""Closed lists of words for `differing`, of the languages that memory is most often kept in: what negates, numbers and days,
opposites, units, and words that say nothing of the matter. A language that is missing here is compared by its words alone.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(rows: str) -> frozenset[str]:
    return frozenset(rows.split())


def _table(rows: str) -> dict[str, str]:
    """Each row: what is meant, then the words that say it."""
    return {word: row.split()[0] for row in rows.strip().split("\n") for word in row.split()}


NEGATIONS = _words("""
    not never no none neither nor without avoid avoids avoided cannot nobody nothing
    nicht nie niemals kein keine keinen keiner keinem keines ohne weder vermeiden vermeide
    pas jamais sans aucun aucune nunca jamás sin ningún ninguna ninguno não sem non senza nessun nessuno nessuna
    niet geen nooit zonder inte aldrig utan ingen не нет без никогда нельзя nigdy bez ไม่
""")
# Words that say nothing of the matter; those of English that any text has, `words` knows.
EMPTY = _words("""
    one can ne use uses used using always every get gets just since instead rather though although thus therefore however
    whether whenever still
    der die das den dem des ein eine einen einem einer eines und oder ist sind wird werden wurde wurden hat haben zu zum zur im
    am in an auf aus bei von vom mit für als auch sich es er sie wir ihr ihre ihren ihrer ihres sein seine seinen seiner
    dass damit le la les de du un une et ou est sont sera seront au aux en par pour avec dans sur que qui ce cette ces son sa
    ses leur leurs el los las lo unos unas y o es está están será serán se del al por para con que su sus este esta
    и или в во на с со из к ко у о об по для это его ее их а
""")
ARTICLES = _words("a an one per ein eine einen einem einer un une una uno")
AMOUNTS: Mapping[str, str] = _table("""
    2 two both zwei deux dos два две
    3 three drei trois tres три
    4 four vier quatre cuatro четыре
    5 five fünf cinq cinco пять
    6 six sechs seis шесть
    7 seven sieben sept siete семь
    8 eight acht huit ocho восемь
    9 nine neun neuf nueve девять
    10 ten zehn dix diez десять
    11 eleven elf onze
    12 twelve zwölf douze doce dozen
    15 fifteen fünfzehn quinze quince
    20 twenty zwanzig vingt veinte двадцать
    30 thirty dreissig dreißig trente treinta тридцать
    50 fifty fünfzig cinquante cincuenta
    60 sixty sechzig soixante sesenta
    90 ninety neunzig noventa
    100 hundred hundert cent cien сто
    1000 thousand tausend mille mil тысяча
    once einmal
    twice zweimal
    thrice dreimal
    half halb halbe halben
    double doppelt
    hourly stündlich
    daily täglich
    nightly nächtlich
    weekly wöchentlich
    monthly monatlich
    quarterly vierteljährlich
    yearly annually jährlich
""")
DAYS: Mapping[str, str] = _table("""
    monday montag lundi lunes понедельник
    tuesday dienstag mardi martes вторник
    wednesday mittwoch mercredi miércoles среда
    thursday donnerstag jeudi jueves четверг
    friday freitag vendredi viernes пятница
    saturday samstag sonnabend samedi sábado суббота
    sunday sonntag dimanche domingo воскресенье
    january jan januar janvier enero января
    february feb februar février febrero февраля
    march märz mars marzo марта
    april apr avril abril апреля
    may mai mayo мая
    june jun juni juin junio июня
    july jul juli juillet julio июля
    august aug août agosto августа
    september sep sept septembre septiembre сентября
    october oct oktober octobre octubre октября
    november nov novembre noviembre ноября
    december dec dezember décembre diciembre декабря
    noon mittag
    midnight mitternacht
    morning
    afternoon
    evening
""")
OPPOSITES: Mapping[str, str] = {
    word: f"{'-' if at else '+'}{row.split()[0]}" for row in """
    enable disable
    enabled disabled
    enables disables
    allow forbid prohibit disallow deny
    allowed forbidden prohibited disallowed denied
    allows forbids prohibits disallows denies
    include exclude
    included excluded
    includes excludes
    including excluding
    on off
    before after
    above below
    more less fewer
    most least
    maximum minimum
    max min
    first last
    inside outside
    public private
    required optional
    online offline
    automatic manual
    automatically manually
    ascending descending
    increase decrease
    increases decreases
    open closed
    true false
    internal external
    synchronous asynchronous
    vor nach
    avant après
    antes después
    до после
    """.strip().split("\n") for at, word in enumerate(row.split())
}
UNITS: Mapping[str, tuple[str, int]] = {
    word: (name, factor) for name, factor, words in (
        ("ms", 1, "ms msec millisecond milliseconds millisekunden"),
        ("ms", 1_000, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунд 秒 秒钟"),
        ("ms", 60_000, "min mins minute minutes minuten minuto minutos минут 分 分钟"),
        ("ms", 3_600_000, "h hr hrs hour hours stunde stunden heure heures hora horas часов 小时 時間"),
        ("ms", 86_400_000, "d day days tag tage tagen jour jours día días дней 天 日"),
        ("ms", 604_800_000, "week weeks woche wochen semaine semaines semana semanas недель 周 週 週間"),
        ("month", 1, "month months monat monate monaten mois mes meses месяцев 月 个月 ヶ月"),
        ("month", 12, "year years jahr jahre jahren an ans année années año años лет 年 年間"),
        ("B", 1, "b byte bytes"), ("B", 1_000, "kb"), ("B", 1_024, "kib"), ("B", 1_000_000, "mb"), ("B", 1_048_576, "mib"),
        ("B", 1_000_000_000, "gb"), ("B", 1_073_741_824, "gib"), ("B", 1_000_000_000_000, "tb"),
        ("%", 1, "% percent prozent"),
    ) for word in words.split()
}
UNSURE = frozenset(("may", "march", "mars", "sept", "sep", "jun", "dec", "jan"))  # "sept" is seven too
BEFORE_MONTH = _words("in until till by since from of before each every this next last im bis ab seit en avant depuis")
ORDINAL = frozenset(("st", "nd", "rd", "th", "x", "er", "e", "ème"))
