/**
 * Words a sentence that matters is told by, as sources of regular expressions. `words` are of scripts that part words
 * and match whole words only; `strings` are of scripts that do not (and of endings), and match anywhere.
 */
export interface CueWords {
  readonly words: readonly string[];
  readonly strings: readonly string[];
}

/** What stands before a word that opens a clause. */
const CLAUSE = '(?<=^|[.,;:!?(—–"“]\\s?|- |\\b(?:please|and|but|or|so|also|just|then|now|instead) )';

/** A rule that is to hold: what is always or never to be done. */
export const STANDING: CueWords = {
  words: [
    // English. In a narrative the same words follow a subject ("he never", "I must be"); in a rule they open a clause.
    `${CLAUSE}(?:always|never|do not|don['’]t|dont|make sure|be sure to|ensure)|(?:should|must|to|is|are|be|we|will|may|can) (?:always|never)|we (?:do not|don['’]t)`,
    "(?<!\\b(?:i|he|she|they)\\s)(?:must|mustn['’]t)|i (?:do not|don['’]t) (?:want (?:you|any|the|a|to see)|like it when)",
    "from now on|going forward|under no circumstances|at all times|no matter what|i(?:['’]d)? (?:want|need|like|expect) you to",
    'forbidden|prohibited|not allowed|off[- ]limits|only use|use only|please only|only ever',
    // Spanish
    'siempre|nunca|jamás|debes|debe|deben|tienes que|hay que|a partir de ahora|de ahora en adelante|únicamente',
    'prohibido|obligatorio|no (?:uses|use|usar|hagas|toques|cambies|modifiques|borres|elimines|escribas|añadas|agregues|pongas|se debe|puedes|quiero)',
    'asegúrate|solo (?:usa|utiliza|usar)|sólo (?:usa|utiliza)',
    // French
    'toujours|jamais|il faut|tu dois|vous devez|doit|doivent|dorénavant|désormais|à partir de maintenant',
    'interdit|obligatoire|uniquement|assure-toi|assurez-vous|veillez à',
    "(?<!(?:je|ce|il|elle|on|ça|cela|qui)\\s)(?:ne\\s+|n['’])\\p{L}{2,20}\\s+(?:pas|plus)",
    // German
    'immer|niemals|nie|auf keinen fall|muss|musst|müssen|müsst|darf nicht|dürfen nicht|ab jetzt|von nun an|ab sofort',
    'verboten|nur noch|ausschließlich|stelle? sicher|bitte nicht|bitte nur|(?:verwende|benutze?|nutze|nimm|mach|ändere?|schreibe?|lösche?) (?:bitte )?(?:nicht|keine?n?|nur|nie)',
    // Portuguese
    'sempre|não (?:use|usar|usem|faça|altere|mexa|modifique|apague|delete|escreva|adicione|pode|deve|quero)',
    'deve|devem|tem que|a partir de agora|de agora em diante|daqui em diante|somente|apenas|proibido|obrigatório|certifique-se',
    // Russian
    'всегда|никогда|нельзя|ни в коем случае|обязательно|долж(?:ен|на|но|ны)|с этого момента|отныне|впредь|запрещено|только|убедись|убедитесь',
    'не \\p{L}{3,20}(?:[аяуюе]й|[аяуюе]йте|ите)|не (?:делай|пиши|трогай)',
    // Italian
    "sempre|non (?:usare|modificare|toccare|cambiare|cancellare)|d['’]ora in poi|vietato|obbligatorio|devi",
  ],
  strings: [
    // Japanese
    '必ず|絶対に?|常に|決して|てはいけ|てはなら|てはだめ|ないで(?:ください|下さい|ほしい|欲しい|ね|$|[。！])|しないこと|禁止|今後は|これからは|以降は|だけにして|のみを?(?:使|に)|ようにして(?:ください|下さい)|厳守|は不可',
    // Chinese
    '必须|必須|一定要|务必|務必|总是|總是|始终|始終|永远|永遠|绝不|絕不|决不|(?<![はがもで])不要(?![でなだとに、。])|不得|不准|不许|不許|不可以|请勿|請勿|请别|請別|从现在开始|從現在開始|从今以后|從今以後|以后都|以後都|今后|今後|只能|只用|只使用|仅使用|僅使用',
    // Korean
    '반드시|절대|항상|언제나|하지\\s?마|지\\s?마세요|지\\s?말|앞으로는|이제부터|금지|안\\s?됩니다|안\\s?돼|해야\\s?(?:합니다|해)|만\\s사용',
  ],
};

/** A wish about how things are done. */
export const PREFERENCE: CueWords = {
  words: [
    "prefer|preferably|(?<!\\b(?:i|he|she|they|that|we)\\s)(?:should|shouldn['’]t)|you should|avoid|remember (?:to|that)|keep in mind|please use|stick (?:to|with)|no need to|without (?:breaking|changing|touching|using)",
    'prefiero|preferiblemente|preferir|evita|evitar|recuerda|debería',
    "préfère|de préférence|évite|évitez|n['’]oublie pas|rappelle-toi|devrait",
    'bevorzuge|bevorzugt|lieber|vermeide|sollte|sollten|sollst|achte darauf|denk daran|vorzugsweise',
    'prefiro|de preferência|evite|lembre-se|deveria',
    'предпочитаю|предпочтительно|желательно|избегай|старайся|следует|помни',
    'preferisco|evita|ricorda',
  ],
  strings: [
    'できれば|なるべく|優先|てほしい|て欲しい|べき|推奨|気をつけ|注意して|避けて|好み',
    '尽量|盡量|最好|优先|優先|应该|應該|避免|记得|記得|希望|偏好|确保|確保|请用|請用|请使用|請使用',
    '가능하면|선호|되도록|피해\\s?주|주의|바랍니다|는 게 좋',
  ],
};

/** A list announced so is a list of rules that hold. */
export const RULES: CueWords = {
  words: [
    "rules?|guidelines?|conventions?|constraints?|restrictions?|standing instructions?|always|never|do not|don['’]t",
    'reglas|restricciones|règles|contraintes|consignes|regeln|vorgaben|regras|restrições|regole|правила|ограничения',
  ],
  strings: ['ルール|規則|制約|禁止|厳守|规则|約束|约束|限制|규칙|제약'],
};

/** A list announced so says what is wanted. */
export const REQUIREMENTS: CueWords = {
  words: [
    'requirements?|instructions?|preferences|notes?|must|should|features?|needs?',
    'requisitos|instrucciones|exigences|instructions|anforderungen|instruções|requisiti|требования|пожелания',
  ],
  strings: ['要件|条件|注意|方針|要望|要求|注意事项|需求|요구|조건|주의'],
};

/** A choice was put to somebody. */
export const OPTIONS: CueWords = {
  words: [
    'options?|choices?|alternatives?|approach(?:es)?|which (?:one|of)|opciones|alternativas|choix|möglichkeiten|varianten|opções|opzioni|варианты?',
  ],
  strings: ['選択肢|案は|どれ|どちら|方案|选项|選項|哪个|哪一个|옵션|방안'],
};

/** A rule for the moment only. */
export const TEMPORARY: CueWords = {
  words: [
    "yet|for now|right now|this time|at the moment|por ahora|todavía|pour l['’]instant|noch nicht|vorerst|por enquanto|ainda|пока|per ora",
  ],
  strings: ['今回は|まだ|とりあえず|ひとまず|暂时|暫時|先不|先别|이번에는|아직|일단'],
};

/** Something was settled. */
export const DECIDING: CueWords = {
  words: [
    "decided|decision|we['’]ll (?:use|go|keep|stick|do)|we will (?:use|go|keep)|let['’]s (?:use|go with|keep|switch|make|drop|leave|stick|stay|do|skip|rename|move)|going with|go with|went with|chose|chosen|opted for|opting for|agreed|settled on|switch(?:ed|ing)? to|sticking with|in favou?r of|we should use",
    'decidí|decidimos|decidido|vamos a usar|usaremos|elegí|elegimos|elegido|en lugar de|en vez de|optamos|acordamos|acordado',
    'décidé|décidons|on va utiliser|nous utiliserons|on utilise|choisi|au lieu de|plutôt que|opté|convenu|on part sur',
    'entschieden|entscheiden|wir (?:verwenden|nehmen|nutzen|benutzen)|gewählt|statt|anstatt|anstelle|vereinbart|geeinigt',
    'decidi|decidimos|vamos usar|escolhi|escolhemos|escolhido|em vez de|ao invés de|combinado|combinamos',
    'решил|решила|решили|решено|будем использовать|выбрал|выбрала|выбрали|вместо|а не|договорились|перешли на|остановились на',
    'deciso|scelto|invece di|useremo',
  ],
  strings: [
    'ことにし|ことに決|決定|採用|選択しました|選びました|の代わりに|ではなく|方針|に切り替え|にしましょう|でいきましょう|で行きましょう',
    '决定|決定|改用|采用|採用|选择了|選擇了|选用|選用|而不是|而非|就用|换成|換成|改为|改為|取而代之|我们用|我們用',
    '결정|기로\\s?(?:했|하|결정)|선택했|대신|채택|바꾸기로|로\\s가자',
  ],
};

/** Something was found out that what comes next stands on. */
export const FINDING: CueWords = {
  words: [
    'root cause|turned? out|turns out|the (?:problem|issue|cause|bug|fix|reason) (?:is|was)|caused by|due to|fixed by|workaround|instead of|(?<!sooner )rather than|because|(?<=, )not (?!only|sure|yet|just|even|to mention)',
    'la causa|el problema (?:es|era)|la cause|le problème (?:est|était|vient)|die ursache|das problem (?:ist|war|liegt)|o problema (?:é|era)|причина|проблема (?:в|была)|оказалось',
  ],
  strings: [
    '原因は|原因が|が原因|問題は|原因是|问题是|問題是|问题在于|問題在於|根本原因|원인은|문제는|때문에',
  ],
};

/** A reason follows. */
export const REASON: CueWords = {
  words: [
    'because|since|so that|due to|the reason|otherwise|porque|ya que|parce que|car|puisque|weil|denn|pois|потому|так как|поскольку|perché',
  ],
  strings: ['なので|ため|から(?:です|。|、|$)|理由|因为|因為|由于|由於|所以|때문|이유|니까'],
};

/** Something is asked for. */
export const REQUEST: CueWords = {
  words: [
    "please|pls|(?:can|could|would|will) you|i (?:want|need)|i['’]d like|i would like|let['’]s|consider|should|help|implement|fix|add|create|build|write|make|update|change|review|remove|delete|rename|refactor|test|check|find|show|explain|use|run|investigate|look (?:at|into)|figure out|set up|convert|move|book|cancel",
    "por favor|puedes|podrías|quiero|necesito|ayúdame|haz|crea|añade|arregla|peux-tu|pourrais-tu|pouvez-vous|je (?:veux|voudrais)|j['’]ai besoin|bitte|kannst du|könntest du|ich (?:möchte|will|brauche)|mach|você pode|quero|preciso|faça|crie|пожалуйста|можешь|хочу|нужно|надо|сделай|добавь|исправь|напиши|давай|vorrei|puoi",
  ],
  strings: [
    'ください|下さい|てほしい|て欲しい|お願い|したい|して[。！]?$',
    '请|請|帮我|幫我|我想|我要|需要|希望|麻烦|麻煩',
    '해\\s?줘|해\\s?주세요|주세요|하고\\s?싶|부탁',
  ],
};
