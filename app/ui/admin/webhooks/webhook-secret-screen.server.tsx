import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { webhookHref } from "./webhooks-screen.server"

type WebhookSecretProps = {
  shown: { readonly id: string; readonly secret: string; readonly formerUntil: Instant | null }
  timeZone: string
}

/** The secret of an endpoint, which is shown once. */
export function WebhookSecretScreen({ shown: { id, secret, formerUntil }, timeZone }: WebhookSecretProps) {
  return (
    <>
      <h1>{t("webhooks.secretTitle")}</h1>
      <section className="card">
        <p>{t("webhooks.secretLead")}</p>
        <p className="mono">{secret}</p>
        {formerUntil !== null && (
          <p>{t("webhooks.formerUntil", { until: localText(formerUntil, timeZone) })}</p>
        )}
        <a className="button main" href={webhookHref(id)}>
          {t("webhooks.secretStored")}
        </a>
      </section>
    </>
  )
}
