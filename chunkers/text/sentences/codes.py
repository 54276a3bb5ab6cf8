"""Codes of languages: ISO 639-1, ISO 639-2 for languages that have no shorter one, and a few of ISO 639-3."""

from __future__ import annotations

_TWO_LETTERS = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""

_THREE_LETTERS = """
    ace ach ada ady afh ain akk ale alt ang anp arc arn arp arw ast awa bal ban bas bej bem bho bik bin bla bnt bra
    bua bug byn cad car ceb chb chg chk chm chn cho chp chr chy cnr cop cpe cpf cpp crh crp csb dak dar del den dgr
    din doi dsb dua dum dyu efi egy eka elx enm ewo fan fat fil fon frm fro frr frs fur gaa gay gba gez gil gmh goh
    gon gor got grb grc gsw gwi hai haw hil hit hmn hsb hup iba ilo inh jbo jpr jrb kaa kab kac kam kaw kbd kha kho
    kmb kok kos kpe krc krl kru kum kut lad lah lam lez lol loz lua lui lun luo lus mad mag mai mak man mas mdf mdr
    men mga mic min mnc mni moh mos mus mwl mwr myv nap nds new nia niu nog non nqo nso nwc nym nyn nyo nzi osa ota
    pag pal pam pap pau peo phn pon pro raj rap rar rom rup sad sah sai sam sas sat scn sco sel sga sgn shn sid sma
    smj smn sms snk sog srn srr suk sus sux syc syr tem ter tet tig tiv tkl tlh tli tmh tog tpi tsi tum tvl tyv udm
    uga umb vai vot wal war was xal yao yap zap zbl zen zgh zun zza ckb
"""

_SHORTER = """
    aar aa abk ab afr af aka ak alb sq amh am ara ar arg an arm hy asm as ava av ave ae aym ay aze az bak ba bam bm
    baq eu bel be ben bn bih bh bis bi bod bo bos bs bre br bul bg bur my cat ca ces cs cha ch che ce chi zh chu cu
    chv cv cor kw cos co cre cr cym cy cze cs dan da deu de div dv dut nl dzo dz ell el eng en epo eo est et eus eu
    ewe ee fao fo fas fa fij fj fin fi fra fr fre fr fry fy ful ff geo ka ger de gla gd gle ga glg gl glv gv gre el
    grn gn guj gu hat ht hau ha hbs sh heb he her hz hin hi hmo ho hrv hr hun hu hye hy ibo ig ice is ido io iii ii
    iku iu ile ie in id ina ia ind id ipk ik isl is ita it iw he jav jv ji yi jpn ja kal kl kan kn kas ks kat ka
    kau kr kaz kk khm km kik ki kin rw kir ky kom kv kon kg kor ko kua kj kur ku lao lo lat la lav lv lim li lin ln
    lit lt ltz lb lub lu lug lg mac mk mah mh mal ml mao mi mar mr may ms mkd mk mlg mg mlt mt mo ro mon mn mri mi
    msa ms mya my nau na nav nv nbl nr nde nd ndo ng nep ne nld nl nno nn nob nb nor no nya ny oci oc oji oj ori or
    orm om oss os pan pa per fa pli pi pol pl por pt pus ps que qu roh rm ron ro rum ro run rn rus ru sag sg san sa
    sin si slk sk slo sk slv sl sme se smo sm sna sn snd sd som so sot st spa es sqi sq srd sc srp sr ssw ss sun su
    swa sw swe sv tah ty tam ta tat tt tel te tgk tg tgl tl tha th tib bo tir ti ton to tsn tn tso ts tuk tk tur tr
    twi tw uig ug ukr uk urd ur uzb uz ven ve vie vi vol vo wel cy wln wa wol wo xho xh yid yi yor yo zha za zho zh
    zul zu cmn zh yue zh wuu zh nan zh hak zh arb ar arz ar ary ar apc ar prs fa pes fa
"""

CODES = frozenset(_TWO_LETTERS.split()) | frozenset(_THREE_LETTERS.split())
"""The code that BCP 47 prefers for each language."""

SHORTER: dict[str, str] = dict(zip(_SHORTER.split()[::2], _SHORTER.split()[1::2], strict=True))
"""From three letters (or two that were given up) to the two that mean the language, or the one it is written as."""
