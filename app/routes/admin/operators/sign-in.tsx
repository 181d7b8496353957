import { redirect } from "react-router"
import { consoleContext, UNSENT } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { signInOperator } from "~/flows/admin/operators/sign-in-operator.server"
import { formOf, textIn } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { type SignInProblem, SignInScreen } from "~/ui/admin/operators/sign-in-screen.server"
import type { Route } from "./+types/sign-in"
import { browserOf, signedInCookies } from "./operator-cookie.server"

export function loader({ context, url }: Route.LoaderArgs) {
  return page(context, { email: "", problem: url.searchParams.has(UNSENT) ? { kind: "unsent" } : null })
}

/** Signs in with a new session; a cookie that the browser sent is never continued. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const factors = {
    email: textIn(form, "email"),
    password: textIn(form, "password"),
    code: textIn(form, "code"),
  }
  const signIn = await signInOperator(context.get(consoleContext), factors, browserOf(context, request))
  if (signIn.kind === "signed-in") {
    const to = signIn.byRecoveryCode ? "/admin/account?done=recovery" : pageAfter(url)
    return redirect(to, { status: 303, headers: signedInCookies(context, signIn) })
  }
  return page(context, { email: factors.email, problem: signIn })
}

/** The page of the console that asked for the sign-in, or the overview: never an address outside it. */
function pageAfter(url: URL): string {
  const to = url.searchParams.get("to") ?? ""
  return /^\/admin\/[\w/.%-]+$/.test(to) ? to : "/admin"
}

type View = { email: string; problem: SignInProblem | null }

function page(context: RouteContext, { email, problem }: View): Response {
  const head = { title: t("signIn.title"), path: "/admin/sign-in", ...answerTo(problem) }
  return consolePage(context, head, <SignInScreen email={email} problem={problem} />)
}

function answerTo(problem: SignInProblem | null) {
  if (problem === null || problem.kind === "unsent") return { status: 200, headers: {} }
  if (problem.kind === "too-many") return { status: 429, headers: retryAfter(problem.retryAfterSeconds) }
  return { status: 422, headers: {} }
}
