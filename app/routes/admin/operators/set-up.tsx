import { consoleContext } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { newPasswordProblem } from "~/domain/operators/operator-account"
import { type SetUpOutcome, setUpOperator, setUpPage } from "~/flows/admin/operators/set-up-operator.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { RecoveryCodesScreen } from "~/ui/admin/operators/recovery-codes-screen.server"
import { LinkGoneScreen, type SetUpProblem, SetUpScreen } from "~/ui/admin/operators/set-up-screen.server"
import { qrOf } from "~/ui/waiting/qr-code.server"
import type { Route } from "./+types/set-up"
import { browserOf, signedInCookies } from "./operator-cookie.server"

/** The page of a one-time link; opening it uses nothing up. */
export function loader({ context, url }: Route.LoaderArgs) {
  return setUp(context, url.searchParams.get("token") ?? "", null)
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const token = textIn(form, "token")
  const password = textIn(form, "password")
  const typing = newPasswordProblem(password, textIn(form, "confirmPassword"))
  if (typing) return setUp(context, token, typing)
  const typed = { token, password, code: textIn(form, "code") }
  const outcome = await setUpOperator(context.get(consoleContext), typed, browserOf(context, request))
  return outcome.kind === "done" ? done(context, outcome) : setUp(context, token, problemOf(outcome))
}

function problemOf({ kind }: Exclude<SetUpOutcome, { kind: "done" }>): SetUpProblem {
  return kind === "too-many" ? "overloaded" : kind
}

async function setUp(context: RouteContext, token: string, problem: SetUpProblem | null): Promise<Response> {
  const page = await setUpPage(context.get(consoleContext), token)
  const path = "/admin/set-up"
  if (!page) {
    const head = { title: t("setUp.gone"), path, status: 410 }
    return consolePage(context, head, <LinkGoneScreen />)
  }
  const head = { title: t("setUp.title"), path, status: problem ? 422 : 200 }
  const { email, secret, uri } = page
  const view = { email, secret, token, problem, qr: qrOf(uri) }
  return consolePage(context, head, <SetUpScreen {...view} />)
}

/** The codes are shown in the answer to the form, since they are stored as hashes only. */
function done(
  context: RouteContext,
  { recoveryCodes, ...signIn }: Extract<SetUpOutcome, { kind: "done" }>,
): Response {
  const headers = signedInCookies(context, signIn)
  const head = { title: t("codes.title"), path: "/admin/set-up", headers }
  return consolePage(context, head, <RecoveryCodesScreen codes={recoveryCodes} />)
}
