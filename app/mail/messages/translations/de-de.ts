import type { MailTranslation } from "./translation"

export const deDe: MailTranslation = {
  receipt: {
    plan: {
      subject: "Ihr Zugang ist bereit",
      lead: "Vielen Dank. {{total}} sind bezahlt, und Sie können losschauen.",
      leadFree: "Vielen Dank. Es war nichts zu bezahlen, und Sie können losschauen.",
      action: "Zugang öffnen",
      note: "Ihre Zugangsdaten stehen auf dieser Seite. Per E-Mail verschicken wir sie nie.",
    },
    upsell: {
      subject: "Ihre weiteren Verbindungen sind bereit",
      lead: "Vielen Dank. {{total}} sind bezahlt, und Sie können ab sofort auf mehr Bildschirmen schauen.",
      leadFree:
        "Vielen Dank. Es war nichts zu bezahlen, und Sie können ab sofort auf mehr Bildschirmen schauen.",
      action: "Zugang öffnen",
      note: "Ihre Zugangsdaten bleiben dieselben. Per E-Mail verschicken wir sie nie.",
    },
    renewal: {
      subject: "Ihr Zugang ist verlängert",
      lead: "Vielen Dank. {{total}} sind bezahlt.",
      leadFree: "Vielen Dank. Es war nichts zu bezahlen.",
      until: "{{plan}}: bis {{date}}",
      action: "Zugang öffnen",
      note: "Ihre Zugangsdaten bleiben dieselben. Per E-Mail verschicken wir sie nie.",
    },
    topup: {
      subject: "Ihr Guthaben ist aufgeladen",
      lead: "Vielen Dank. {{total}} sind bezahlt und stehen jetzt als Guthaben auf Ihrem Konto.",
      leadFree: "Vielen Dank. Es war nichts zu bezahlen.",
      action: "Zugang öffnen",
      note: "Es wird nur für Ihre Bestellungen verwendet und für das, dem Sie zugestimmt haben.",
    },
    reseller: {
      subject: "Ihr Reseller-Konto ist bereit",
      lead: "Vielen Dank. {{total}} sind bezahlt, und Ihre Credits sind auf Ihrem Konto.",
      leadFree: "Vielen Dank. Es war nichts zu bezahlen, und Ihre Credits sind auf Ihrem Konto.",
      action: "Reseller-Konto öffnen",
      note: "Kontoname und Passwort stehen auf dieser Seite. Per E-Mail verschicken wir sie nie.",
    },
    preview: "Beleg über {{total}}, Bestellung {{order}}",
  },
  "payment-received": {
    subject: "Ihre Zahlung ist da",
    preview: "Das Einrichten dauert länger als sonst. Sie müssen nichts tun.",
    lead: {
      plan: "Vielen Dank. {{total}} sind bezahlt. Ihren Zugang einzurichten dauert länger als sonst.",
      upsell: "Vielen Dank. {{total}} sind bezahlt. Ihre Verbindungen hinzuzufügen dauert länger als sonst.",
      reseller:
        "Vielen Dank. {{total}} sind bezahlt. Ihr Reseller-Konto einzurichten dauert länger als sonst.",
    },
    next: "Sie müssen nichts tun. Wir bleiben dran und schreiben Ihnen, sobald alles bereit ist.",
    action: "Bestellung ansehen",
  },
  "partly-paid": {
    subject: "Es fehlen noch {{due}}",
    preview: "{{received}} von {{total}} sind für Bestellung {{order}} eingegangen",
    lead: "Für Ihre Bestellung {{order}} sind {{received}} von {{total}} eingegangen.",
    open: "Zahlen Sie den Rest bis zum {{deadline}}, dann ist die Bestellung vollständig.",
    over: "Die Zeit für die Restzahlung ist vorbei. Was Sie bezahlt haben, ist bei der Bestellung vermerkt und geht nicht verloren.",
    action: "{{due}} bezahlen",
    see: "Bestellung ansehen",
    note: "Den Rest schon überwiesen? Er zählt, sobald er eingeht. Sie müssen nichts weiter tun.",
  },
  "order-expired": {
    subject: "Ihre Bestellung {{order}} ist abgelaufen",
    preview: "Die gezahlten {{received}} gehen nicht verloren",
    lead: "Sie war bis zum {{deadline}} nicht vollständig bezahlt. Die gezahlten {{received}} sind bei der Bestellung vermerkt und gehen nicht verloren.",
    next: "Nennen Sie uns die Bestellnummer, und wir klären das mit Ihnen.",
    action: "Bestellung ansehen",
  },
  "account-credit": {
    subject: "{{amount}} sind jetzt Ihr Guthaben",
    preview: "Für Ihre nächste Bestellung. Aus Bestellung {{order}}",
    lead: {
      overpaid:
        "Sie haben {{amount}} mehr bezahlt, als Bestellung {{order}} kostet. Wir heben den Betrag als Guthaben für Sie auf.",
      credited:
        "Ihre Zahlung über {{amount}} konnte für Bestellung {{order}} nicht mehr angenommen werden. Wir heben den Betrag als Guthaben für Sie auf.",
      "part-credited":
        "Bestellung {{order}} wurde beendet, bevor sie vollständig bezahlt war. Die gezahlten {{amount}} heben wir als Guthaben für Sie auf.",
    },
    next: "Das Guthaben wird mit Ihrer nächsten Bestellung hier verrechnet. Melden Sie sich vor dem Bestellen an, damit wir es Ihnen zuordnen können.",
    action: "Bestellung ansehen",
  },
  refund: {
    subject: "Wir haben Ihnen {{amount}} erstattet",
    preview: "Für Ihre Bestellung {{order}}",
    lead: "Sie erhalten {{amount}} aus Ihrer Bestellung {{order}} zurück.",
    next: "Wann das Geld bei Ihnen ist, hängt von der Zahlungsart ab. Das kann einige Tage dauern.",
    claim:
      "Holen Sie den Betrag auf der Seite des Zahlungsanbieters ab. Wer den Link hat, kann das Geld nehmen: Geben Sie ihn nicht weiter.",
    claimAction: "{{amount}} abholen",
    action: "Bestellung ansehen",
  },
  "order-unpaid": {
    subject: "Ihre Bestellung ist noch nicht bezahlt",
    preview: "{{product}} für {{total}}, für Sie reserviert bis zum {{deadline}}",
    lead: "Sie haben {{product}} für {{total}} gewählt. Bestellung und Preis halten wir für Sie bis zum {{deadline}}.",
    action: "{{due}} bezahlen",
    note: "Gerade bezahlt? Dann haben sich diese E-Mail und Ihre Zahlung überschnitten. Doch nicht? Dann müssen Sie nichts tun: Die Bestellung endet von selbst.",
  },
  withdrawal: {
    subject: "Ihr Widerruf der Bestellung {{order}} ist eingegangen",
    preview: "Eingegangen am {{moment}}",
    lead: "Ihr Widerruf der Bestellung {{order}} ist am {{moment}} bei uns eingegangen. Diese E-Mail bestätigt das.",
    declaration: "Ihre Erklärung: „Hiermit widerrufe ich meinen Vertrag über die Bestellung {{order}}.“",
    next: "Wir prüfen Ihren Widerruf und melden uns wegen des Zugangs und einer Erstattung.",
    action: "Bestellung ansehen",
  },
  "sign-in": {
    subject: "Anmelden bei {{shop}}",
    preview: "Ihr Code lautet {{code}}",
    lead: "Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben:",
    codeNote_one:
      "Er gilt {{count, number}} Minute und nur in dem Browser, in dem Sie ihn angefordert haben.",
    codeNote_other:
      "Er gilt {{count, number}} Minuten und nur in dem Browser, in dem Sie ihn angefordert haben.",
    or: "Oder melden Sie sich hier an, auf jedem Gerät:",
    action: "Anmelden",
    linkNote_one: "Das funktioniert einmal, {{count, number}} Minute lang.",
    linkNote_other: "Das funktioniert einmal, {{count, number}} Minuten lang.",
    warning:
      "Nicht von Ihnen angefordert? Dann ignorieren Sie diese E-Mail. Geben Sie den Code an niemanden weiter, auch nicht an uns.",
    byOperator: "Unser Support hat Ihnen diesen Link zur Anmeldung bei {{shop}} geschickt, für jedes Gerät:",
    linkWarning: "Geben Sie diesen Link an niemanden weiter, auch nicht an uns.",
  },
  "password-changed": {
    subject: "Ihr Konto hat ein neues Passwort",
    preview: "Festgelegt am {{moment}}",
    lead: "Es wurde am {{moment}} festgelegt. Waren Sie das selbst, müssen Sie nichts tun.",
    next: "Waren Sie es nicht? Melden Sie sich mit einem Link per E-Mail an und wählen Sie ein anderes Passwort. Das eben festgelegte gilt dann nicht mehr.",
    action: "Konto öffnen",
  },
  "address-code": {
    subject: "Ihre neue E-Mail-Adresse bei {{shop}}",
    preview: "Ihr Code lautet {{code}}",
    lead: "Geben Sie diesen Code auf der Seite Ihres Kontos bei {{shop}} ein. Dann gehört diese Adresse zu Ihrem Konto:",
    codeNote_one: "Er gilt {{count, number}} Minute.",
    codeNote_other: "Er gilt {{count, number}} Minuten.",
    warning:
      "Nicht von Ihnen angefordert? Dann ignorieren Sie diese E-Mail, es ändert sich nichts. Geben Sie den Code an niemanden weiter, auch nicht an uns.",
    takenSubject: "Sie haben schon ein Konto bei {{shop}}",
    takenPreview: "Es wurde nichts geändert",
    taken:
      "Jemand wollte diese Adresse für ein Konto bei {{shop}} eintragen. Zu ihr gehört schon eines, deshalb wurde nichts geändert.",
    takenNote:
      "Waren Sie das? Dann melden Sie sich mit dieser Adresse an, oder fragen Sie uns. Sonst ignorieren Sie diese E-Mail.",
  },
  "address-requested": {
    subject: "Ihr Konto soll eine andere E-Mail-Adresse bekommen",
    preview: "Die neue wäre {{address}}",
    lead: "Am {{moment}} hat ein Browser, der bei Ihrem Konto bei {{shop}} angemeldet ist, die Adresse {{address}} gewünscht. Sie ändert sich, sobald der Code eingegeben wird, den wir dorthin geschickt haben.",
    next: "Waren Sie das? Dann müssen Sie hier nichts tun. Wenn nicht, stoppen Sie die Änderung:",
    action: "Änderung stoppen",
  },
  "address-changed": {
    subject: "Die E-Mail-Adresse Ihres Kontos wurde geändert",
    preview: "Sie lautet jetzt {{address}}",
    lead: "Seit dem {{moment}} gehört zu Ihrem Konto bei {{shop}} die Adresse {{address}}. E-Mails und Anmeldelinks gehen dorthin.",
    next: "Waren Sie das nicht? Dann sagen Sie uns bitte so bald wie möglich Bescheid.",
    action: "Support kontaktieren",
    undo: "Änderung rückgängig machen",
    undoNext_one: "Waren Sie das nicht? Hier können Sie es {{count, number}} Tag lang rückgängig machen:",
    undoNext_other: "Waren Sie das nicht? Hier können Sie es {{count, number}} Tage lang rückgängig machen:",
  },
  "credits-low": {
    subject: {
      none: "Sie haben keine Credits mehr",
      some_one: "Sie haben noch {{count, number}} Credit",
      some_other: "Sie haben noch {{count, number}} Credits",
    },
    preview: "Ein Credit ist ein Zugang",
    lead: "Ein Credit ist ein Zugang. Kaufen Sie rechtzeitig nach, dann können Sie ohne Pause weitere anlegen.",
    action: "Credits kaufen",
  },
  end: {
    last: {
      preview: "{{product}}, bezahlt bis {{end}}",
      ahead: {
        subject: "{{product}} funktioniert bis {{suspension}}",
        lead: "{{product}} ist bis {{end}} bezahlt und funktioniert bis {{suspension}}. Dieses Paket verlängern wir nicht mehr.",
      },
      over: {
        subject: "Ihr Zugang ist abgelaufen",
        lead: "{{product}} war bis {{end}} bezahlt. Dieses Paket verlängern wir nicht mehr: Am {{termination}} endet der Zugang endgültig, und mit ihm die Zugangsdaten.",
      },
      next: "Sie können jederzeit ein anderes Paket wählen.",
      action: "Unsere Pakete ansehen",
    },
    "renewal-reminder": {
      subject: "{{product}} ist bezahlt bis {{end}}",
      preview: "Verlängern Sie, und nichts ändert sich",
      lead: "{{product}} ist bezahlt bis {{end}}. Verlängern Sie vorher, und es geht mit denselben Zugangsdaten weiter.",
      action: "Verlängern",
      note: "Wir buchen nie automatisch etwas ab. Sie möchten nicht weitermachen? Dann müssen Sie nichts tun: Ihr Zugang endet von selbst.",
      fromCredit:
        "Sie haben die Verlängerung aus Ihrem Guthaben eingeschaltet. Reicht das Guthaben dafür, müssen Sie nichts tun. Auf der Seite des Zugangs können Sie sie wieder ausschalten.",
    },
    "renewal-due": {
      subject: "Verlängern Sie bis {{suspension}}",
      preview: "{{product}}, bezahlt bis {{end}}",
      lead: "{{product}}: bezahlt bis {{end}}. Der Zugang funktioniert bis {{suspension}} und pausiert danach. Verlängern Sie vorher, und nichts ändert sich.",
      note: "Gerade bezahlt? Dann haben sich diese E-Mail und Ihre Zahlung überschnitten.",
    },
    "service-suspended": {
      subject: "Ihr Zugang pausiert",
      preview: "Verlängern Sie {{product}} bis {{termination}}, um ihn zurückzubekommen",
      lead: "{{product}} war bezahlt bis {{end}} und pausiert jetzt. Verlängern Sie bis {{termination}}, und der Zugang funktioniert wieder mit denselben Zugangsdaten.",
    },
    "termination-notice": {
      subject: "Letzter Hinweis: Ihr Zugang endet am {{termination}}",
      preview: "{{product}} pausiert",
      lead: "{{product}} pausiert. Am {{termination}} endet der Zugang endgültig, und mit ihm die Zugangsdaten. Verlängern Sie vorher, um sie zu behalten.",
    },
    "service-terminated": {
      subject: "Ihr Zugang ist beendet",
      preview: "{{product}}, bezahlt bis {{end}}",
      lead: "{{product}} wurde nicht verlängert und ist beendet. Die Zugangsdaten funktionieren nicht mehr.",
      next: "Ihr Konto und Ihre Belege bleiben, und Sie können jederzeit zurückkommen.",
      action: "Konto öffnen",
    },
  },
  priceAnnounced: {
    subject: "Neuer Preis für {{product}} ab {{from}}",
    preview: "{{price}} je Verlängerung",
    lead: "Ab {{from}} kostet die Verlängerung von {{product}} {{price}}.",
    until:
      "Bezahlt ist bis {{end}}. Eine Laufzeit, die vor dem {{from}} beginnt, behält den heutigen Preis, auch wenn Sie vorzeitig verlängern.",
    note: "Wenn Sie die Verlängerung aus Ihrem Guthaben eingeschaltet haben, gilt der neue Preis auch dafür. Auf der Seite des Zugangs können Sie sie ausschalten.",
  },
  daysGiven: {
    subject: "{{days}} mehr für {{product}}",
    preview: "Bezahlt bis {{end}}",
    lead: "Wir haben {{product}} um {{days}} verlängert. Bezahlt ist jetzt bis {{end}}.",
    note: "Sie müssen nichts tun.",
  },
  order: {
    heading: "Beleg",
    headingOpen: "Ihre Bestellung",
    invoice: "Rechnung {{invoice}}.",
    accountCredit: "Guthaben",
    invoiceRest: "Steuer, weitere Posten und Guthaben",
    extraConnection: "Weitere Verbindung",
    proxyProtection: "Proxy-Schutz",
    moreConnections_one: "{{count, number}} weitere Verbindung",
    moreConnections_other: "{{count, number}} weitere Verbindungen",
    discount: "Rabattcode {{code}}",
    total: "Summe",
    totalPaid: "Bezahlt",
    received: "Eingegangen",
    due: "Noch zu zahlen",
    credit: "Aus Ihrem Guthaben",
    fromCredit: "Davon aus Ihrem Guthaben: {{amount}}.",
    paidAt: "Bezahlt am {{moment}}.",
    paidUntil: "Bezahlt bis {{moment}}.",
    placedAt: "Bestellt am {{moment}}.",
    declared: "Sie haben am {{moment}} erklärt:",
    number: "Bestellung {{order}}",
    gateway: {
      offshore: "Zahlungsart: Banküberweisung.",
      coinbase: "Zahlungsart: Kryptowährung (Coinbase).",
      btcpay: "Zahlungsart: Bitcoin und mehr (BTCPay).",
      cryptomusgateway: "Zahlungsart: Kryptowährung (Cryptomus).",
    },
  },
  closing: {
    question: "Noch Fragen?",
    support: "Support kontaktieren",
  },
  footer: {
    order: "Sie erhalten diese E-Mail wegen Ihrer Bestellung bei {{shop}}.",
    account: "Sie erhalten diese E-Mail, weil Sie ein Konto bei {{shop}} haben.",
    "sign-in":
      "Sie erhalten diese E-Mail, weil diese Adresse bei der Anmeldung zu {{shop}} eingegeben wurde.",
    address: "Sie erhalten diese E-Mail, weil diese Adresse für ein Konto bei {{shop}} eingegeben wurde.",
    reminder: "Sie erhalten diese E-Mail einmalig wegen Ihrer Bestellung bei {{shop}}.",
    service: "Sie erhalten diese E-Mail, weil Ihr Zugang bei {{shop}} endet oder beendet ist.",
    terms: "AGB",
    privacy: "Datenschutz",
    unsubscribe: "Keine Erinnerungen mehr",
  },
}
