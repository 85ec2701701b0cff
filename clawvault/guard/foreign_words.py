"""The words of orders that steer a model in the languages that ``foreign_orders`` knows (pure).

Words are written as ``fold_text`` gives them where it gives plain Latin letters. ``_`` stands for a space, ``*`` for an
ending of the word.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """The words of one language in which the verb of an order goes first.

    Attributes:
        drop: To ignore or forget, as orders say it.
        every: All, any.
        before: Previous, above, given, original.
        other: What may stand between the others.
        orders: Instructions, of whomever: with any of ``every`` or ``before``.
        rules: What ordinary life has too: with one of ``before`` alone.
        above: All that was said before, in one phrase.
        unless: What follows and makes an order one for a case.
        become: You are now.
    """

    drop: str
    every: str
    before: str
    other: str
    orders: str
    rules: str
    above: str = ""
    unless: str = ""
    become: str = ""


GERMAN = Language(
    drop="ignorier ignoriere ignoriert ignorieren vergiss vergesst vergessen missachte missachtet missachten "
    "ubergehe ubergeht verwirf verwerft",
    every="all alle allen aller samtlich* jeglich* jede*",
    before="vorherig* bisherig* vorig* vorangegangen* vorangehend* vorstehend* fruher* fruehere* obig* oben zuvor "
    "vorher bisher ursprunglich* urspruenglich* erhalten* gegeben* genannt*",
    other="sie bitte jetzt nun sofort einfach die der den deine* ihre* eure* meine* diese* dein ihr und oder "
    "von dir mir",
    orders="anweisung* instruktion* prompt* systemprompt* system-prompt* direktive* systemanweisung*",
    rules="befehl* regel* vorgabe* richtlinie* nachricht* text* kontext* eingabe*",
    above="alles_bisherige* alles_vorherige* alles_obige* alles_vorangegangene*",
    unless="wenn falls sofern nicht",
    become="du_bist_jetzt du_bist_nun du_bist_ab_jetzt du_bist_ab_sofort jetzt_bist_du nun_bist_du ab_jetzt_bist_du "
    "ab_sofort_bist_du von_nun_an_bist_du sie_sind_jetzt sie_sind_nun ab_jetzt_sind_sie",
)
FRENCH = Language(
    drop="ignore ignorez ignorer oublie oubliez oublier neglige negligez annule annulez contourne contournez "
    "ne_tiens_pas_compte ne_tenez_pas_compte ne_tiens_plus_compte ne_tenez_plus_compte fais_abstraction "
    "faites_abstraction",
    every="tout toute toutes tous chaque",
    before="precedent* anterieur* ci-dessus initial* initiaux originel* original* recu* donne* d'avant plus_haut "
    "systeme",
    other="les la le l' d' tes vos ton votre mes ces ses de des du et ou qui t'ont_ete vous_ont_ete maintenant "
    "immediatement s'il_te_plait s'il_vous_plait",
    orders="instruction* consigne* directive* prompt*",
    rules="regle* ordre* commande* message* texte* contexte*",
    above="tout_ce_qui_precede tout_ce_qui_est_ecrit_ci-dessus",
    unless="si quand lorsque pour",
    become="tu_es_maintenant tu_es_desormais maintenant_tu_es desormais_tu_es desormais,_tu_es "
    "a_partir_de_maintenant_tu_es a_partir_de_maintenant,_tu_es vous_etes_maintenant vous_etes_desormais",
)
SPANISH = Language(
    drop="ignora ignore ignorad ignorar olvida olvide olvidad olvidar olvidate descarta descarte desestima desestime "
    "desobedece omite haz_caso_omiso no_hagas_caso no_sigas",
    every="todo toda todos todas cualquier",
    before="anterior* previa* previo* precedente* arriba inicial* original* recibid* dad* sistema hasta_ahora",
    other="las los la el tus sus mis esas estas tu su a de del y o por_favor ahora que te_han",
    orders="instruccion* indicacion* prompt* directiva* directriz directrices",
    rules="regla* orden ordenes norma* mensaje* texto* contexto* comando*",
    above="todo_lo_anterior todo_lo_de_arriba",
    unless="si cuando para",
    become="ahora_eres ahora_tu_eres eres_ahora a_partir_de_ahora_eres a_partir_de_ahora,_eres desde_ahora_eres "
    "a_partir_de_ahora_seras",
)
ITALIAN = Language(
    drop="ignora ignorate ignorare ignori dimentica dimenticate dimenticare dimentichi trascura trascurate "
    "non_seguire non_considerare",
    every="tutto tutta tutti tutte ogni qualsiasi",
    before="precedent* anterior* iniziali* original* prima sopra ricevut* dat* fornit* sistema",
    other="le il lo la i gli tue vostre tuoi vostri queste mie di del delle dei e o per_favore ora adesso",
    orders="istruzion* prompt* direttiv* indicazion*",
    rules="regol* ordin* comand* messagg* testo testi contesto",
    above="tutto_cio_che_precede tutto_quello_che_precede tutto_quanto_sopra",
    unless="se quando per",
    become="ora_sei adesso_sei sei_ora sei_adesso d'ora_in_poi_sei d'ora_in_poi,_sei da_ora_in_poi_sei ora_tu_sei",
)
PORTUGUESE = Language(
    drop="ignore ignora ignorem ignorar esqueca esquece esquecam esquecer desconsidere desconsidera desconsiderar "
    "despreze descarte desobedeca",
    every="todo toda todos todas qualquer",
    before="anterior* previ* precedente* acima inicia* origina* recebid* dad* sistema",
    other="as os a o suas seus tuas teus minhas essas estas de do da e por_favor agora",
    orders="instruco* prompt* diretriz diretrizes diretiva*",
    rules="regra* ordem ordens comando* mensagens texto* contexto*",
    above="tudo_o_que_veio_antes tudo_acima tudo_o_que_foi_dito",
    unless="se quando para",
    become="agora_voce_e voce_agora_e voce_e_agora agora_tu_es a_partir_de_agora_voce_e a_partir_de_agora,_voce_e",
)
DUTCH = Language(
    drop="negeer negeert negeren vergeet vergeten overschrijf",
    every="alle al elke iedere",
    before="vorige voorgaande eerdere bovenstaande voorafgaande oorspronkelijke gegeven ontvangen hierboven",
    other="de het je jouw uw mijn deze die en of nu van",
    orders="instructie* prompt* systeemprompt* richtlijn* aanwijzing*",
    rules="regel* bevel* bericht* tekst* context* opdracht*",
    above="alles_hierboven alles_wat_hierboven_staat",
    unless="als wanneer tenzij niet",
    become="je_bent_nu jij_bent_nu u_bent_nu je_bent_vanaf_nu vanaf_nu_ben_je vanaf_nu_ben_jij",
)
POLISH = Language(
    drop="zignoruj zignorujcie ignoruj ignorujcie zapomnij zapomnijcie pomin pomincie",
    every="wszystki* wszelki* kazd*",
    before="poprzedni* wczesniejsz* powyzsz* dotychczasow* pierwotn* otrzyman*",
    other="o te swoje twoje swoich twoich i oraz lub prosze",
    orders="instrukcj* polecenia poleceniach wytyczn* prompt*",
    rules="zasad* regul* rozkaz* wiadomosc* tekst* kontekst*",
    above="wszystko_powyzej wszystko_co_powyzej",
    unless="jesli gdy",
    become="jestes_teraz teraz_jestes od_teraz_jestes",
)
INDONESIAN = Language(
    drop="abaikan lupakan hiraukan",
    every="semua seluruh setiap",
    before="sebelumnya terdahulu di_atas awal asli sistem",
    other="yang dari itu ini dan atau anda kamu",
    orders="instruksi* prompt* petunjuk* arahan*",
    rules="perintah* aturan* pesan* teks* konteks*",
    unless="jika kalau bila",
    become="kamu_sekarang_adalah anda_sekarang_adalah sekarang_kamu_adalah mulai_sekarang_kamu_adalah",
)
RUSSIAN = Language(
    drop="игнорируй* проигнорируй* забудь забудьте отбрось отбросьте не_обращай_внимания не_обращайте_внимания",
    every="все всё всех всякие любые",
    before="предыдущ* прежн* прошл* вышеуказанн* выше ранее исходн* первоначальн* полученн* данные",
    other="свои твои ваши мои эти свой о об про на и или пожалуйста",
    orders="инструкци* указани* промпт* директив*",
    rules="правил* команд* приказ* сообщени* текст* контекст*",
    above="все_вышесказанное всё_вышесказанное все_что_было_выше все,_что_было_выше",
    unless="если когда",
    become="ты_теперь теперь_ты отныне_ты вы_теперь теперь_вы с_этого_момента_ты",
)
ARABIC = Language(
    drop="تجاهل تجاهلي تجاهلوا انس انسى",
    every="جميع كل كافة",
    before="السابقة السابق أعلاه الأصلية",
    other="من في و",
    orders="التعليمات تعليماتك الإرشادات توجيهاتك",
    rules="الأوامر القواعد الرسائل النص",
    unless="إذا",
)
VERB_FIRST = (
    *(GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, POLISH, INDONESIAN),
    *(RUSSIAN, ARABIC),
)


class VerbLast(NamedTuple):
    """The words of one language in which the verb goes last.

    Attributes:
        which: Previous, above, all.
        orders: Instructions and what else is ordered.
        drop: To ignore or forget, up to where it may be turned into its opposite.
        keep: How such a verb goes on that says not to, or that it happens.
    """

    which: str
    orders: str
    drop: str
    keep: str


JAPANESE = VerbLast(
    which="以前 これまで 今まで 上記 上の 前の 先ほど 最初の すべて 全て 全部 あらゆる 元の",
    orders="指示 命令 プロンプト ルール 指令 制約 規則",
    drop="無視 忘れ 破棄",
    keep="しな せず ない ずに され",
)
KOREAN = VerbLast(
    which="이전 앞선 위의 기존 모든 지금까지",
    orders="지시 명령 프롬프트 지침 규칙",
    drop="무시 잊",
    keep="하지_마 하지_말 지_마 지_말 되",
)
TURKISH = VerbLast(
    which="onceki yukaridaki tum butun",
    orders="talimat komut yonerge prompt",
    drop="yok_say unut gormezden_gel dikkate_alma",
    keep="ma me il ul",
)
HINDI = VerbLast(
    which="पिछले सभी पहले उपरोक्त",
    orders="निर्देश आदेश प्रॉम्प्ट",
    drop="अनदेखा नज़रअंदाज़ भूल",
    keep="न_कर मत",
)
VERB_LAST = (JAPANESE, KOREAN, TURKISH, HINDI)

# What only a model is told to be that shall leave its bounds.
FREED = (
    "dan stan jailbroken hacker chatbot ohne_einschrankung* ohne_grenzen ohne_filter ohne_regeln ohne_zensur "
    "unzensiert* uneingeschrankt* sans_restriction* sans_limite* sans_filtre* sans_censure sans_regle* non_censure* "
    "sin_restricciones sin_limites sin_filtros sin_censura sin_reglas senza_restrizioni senza_limiti senza_filtri "
    "senza_censura sem_restricoes sem_limites sem_filtros sem_censura sem_regras zonder_beperkingen zonder_grenzen "
    "zonder_filters zonder_regels bez_ograniczen bez_filtrow bez_cenzury tanpa_batasan tanpa_aturan tanpa_sensor "
    "без_ограничений без_фильтров без_цензуры без_правил хакер"
)
# To show, and what nobody but a model has of its own.
SHOW = (
    "zeig zeige zeigt gib nenne nenn verrate verrat offenbare wiederhole drucke montre montrez affiche affichez "
    "revele revelez donne donnez donne-moi repete repetez divulgue divulguez muestra muestrame revela imprime dime "
    "repite mostra mostrami rivela stampa dimmi ripeti mostre revele imprima diga repita exiba toon onthul geef "
    "herhaal pokaz ujawnij wypisz powtorz tampilkan ungkapkan покажи* раскрой* выведи* повтори* назови*"
)
YOUR = (
    "dein deine deinen deiner ihre ihren ton ta tes votre vos tu tus su sus tuo tua tue tuoi seu sua seus suas teu "
    "tuas je jouw uw swoj swoje swoj* twoj* свой свои твой твои ваш ваши"
)
PROMPT = (
    "systemprompt* system-prompt* system_prompt* systemanweisung* systemnachricht* geheimen_anweisung* "
    "ursprunglichen_anweisung* prompt_systeme prompt_initial instructions_systeme instructions_initiales "
    "instructions_cachees instructions_secretes prompt_del_sistema prompt_de_sistema instrucciones_del_sistema "
    "instrucciones_iniciales instrucciones_ocultas prompt_di_sistema istruzioni_di_sistema istruzioni_iniziali "
    "istruzioni_nascoste prompt_do_sistema instrucoes_do_sistema instrucoes_iniciais instrucoes_ocultas "
    "systeemprompt* systeeminstructie* prompt_systemow* instrukcje_systemowe prompt_sistem "
    "системный_промпт* системные_инструкции скрытые_инструкции"
)
# Whoever shows a report: a sentence with one of these speaks about an order.
REPORTED = frozenset(
    "beispiel angriff satz wie dass man modell modelle nutzer angreifer lautet heisst exemple attaque phrase comment "
    "que qui on modele modeles utilisateur ejemplo ataque frase como modelo modelos usuario esempio attacco come che "
    "modello modelli utente exemplo voorbeeld aanval zin hoe dat gebruiker przyklad atak zdanie jak ze contoh serangan "
    "bagaimana".split()
)
# Nobody is told to ignore with one of these before it.
NOT = "nicht nie niemals nunca jamais jamas no nao non mai ne niet nooit nie nigdy jangan не никогда لا"
