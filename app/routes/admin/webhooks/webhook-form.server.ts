import type { WebhookProblem } from "~/flows/admin/manage-webhooks.server"
import { consoleText as t } from "~/i18n/console-texts.server"

/** The types that were ticked, separated by commas. */
export function typesIn(form: FormData): string {
  return form.getAll("types").join(",")
}

/** What a page says about a form of an endpoint that was refused. */
export function webhookProblemText(problem: WebhookProblem): string {
  return problem.kind === "url"
    ? t("webhooks.problems.url", { why: problem.why })
    : t(`webhooks.problems.${problem.kind}`)
}
