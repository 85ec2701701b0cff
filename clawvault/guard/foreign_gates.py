"""Words of which one is in every folded text with an order that ``foreign_orders`` knows (pure).

Apart from the words themselves, and shorter: every text is looked through for these, and hardly any needs the others.
"""

from __future__ import annotations

# For languages in Latin letters; ``_`` stands for a space.
LATIN = tuple(
    [
        word.replace("_", " ")
        for word in (
            "ignore_ ignore, ignorem ignorez ignorer ignora ignori ignoruj vergiss vergess missacht uberge "
            "verwirf verwerft oubli neglig annule contourne plus_compte s_compte z_compte abstraction olvid "
            "descart desestim desobed omite omiso hagas_caso no_sigas dimentic trascur non_segu non_consid "
            "esque desconsid despreze negeer neger verge overschrijf pomin zapomn abaikan lupakan hiraukan "
            "yok_say unut gormez dikkate bist_jetzt bist_nun bist_ab bist_du sind_jetzt sind_nun jetzt_sind "
            "es_maint es_desorm maintenant desormais ahora ora_sei sei_ora adesso poi_sei poi,_sei ora_tu_sei "
            "agora bent_nu bent_v vanaf_nu jestes sekarang system-p system_p systemp systema systemn prompt_s "
            "prompt_i prompt_d systeemp systeemi anweisung instrucc instruco instructions_s instructions_i "
            "instructions_c istruzioni instrukcje"
        ).split()
    ]
)
# Folded, so that no letter is one that looks Latin, and signs of Korean are taken apart.
OTHER = tuple(
    [
        word.replace("_", " ")
        for word in (
            "\u092d\u0932 \u5fd8\u308c \u65e0\u89c6 \u7834\u68c4 \u0627\u0646\u0633 \u110b\u1175\u11bd "
            "\u0905\u0928\u0926\u0916 \u1106\u116e\u1109\u1175 \u062a\u062c\u0627\u0647\u0644 "
            "\u0437aby\u0434\u044c \u0928\u091c\u0930\u0905\u0926\u091c otbpoc\u044c b\u044b_tenep\u044c "
            "oth\u044bhe_t\u044b tenep\u044c_b\u044b tenep\u044c_t\u044b t\u044b_tenep\u044c "
            "\u0438rhop\u0438py\u0438 c\u0438ctemh\u044b\u0438_npomnt c_\u044dtoro_momehta_t\u044b "
            "ckp\u044bt\u044be_\u0438hctpyk\u0446\u0438\u0438 he_obpa\u0449a\u0438_bh\u0438mah\u0438\u044f "
            "c\u0438ctemh\u044be_\u0438hctpyk\u0446\u0438\u0438 "
            "he_obpa\u0449a\u0438te_bh\u0438mah\u0438\u044f"
        ).split()
    ]
)
EVERY = (*LATIN, *OTHER)


def gate_words(*, is_ascii: bool) -> tuple[str, ...]:
    """Return those that may be in a folded text.

    Args:
        is_ascii: The text holds no other signs.
    """
    return LATIN if is_ascii else EVERY
