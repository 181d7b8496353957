import { z } from "zod"
import { BASE } from "~/domain/base-path"
import { type Call, calls, newClick } from "./endpoints"
import { ErrorResponse, errorCodes } from "./error-codes"

/**
 * OpenAPI 3.1 description of the billing API, generated from the schemas that validate requests and responses.
 * `publicUrl`: the shop's origin, to which the paths are relative.
 */
export function apiDescription(publicUrl: string) {
  const described = Object.entries<Call>(calls).map(([name, call]) => [
    `${BASE}/api/${name}`,
    pathOf(name, call),
  ])
  return {
    openapi: "3.1.0",
    info: { title: "Billing API", version: "1", description: INTRODUCTION },
    servers: [{ url: publicUrl }],
    paths: {
      ...Object.fromEntries(described),
      [`${BASE}/aff/new_click`]: clickPath(),
    },
    components: {
      schemas: { Failure: shapeOf(ErrorResponse, "output") },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-api-key" },
        customer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
  }
}

const INTRODUCTION = `Every request needs the operator's API key in x-api-key; only
new_click does without. Endpoints about a customer also need the
customer's Bearer token, which /auth and /resellerAuth return; it is valid for one day. GET takes query parameters, POST a
JSON body; empty values count as missing. Some GET endpoints change data and must not be retried blindly. The API key
grants access to every customer: the caller decides what to show to whom.`

function pathOf(name: string, { method, owned, summary, request, response: result }: Call) {
  const operation = {
    operationId: name,
    summary,
    security: [{ key: [], ...(owned && { customer: [] }) }],
    ...(method === "GET" ? { parameters: parametersOf(request) } : { requestBody: bodyOf(request) }),
    responses: { "200": { description: "Success", content: json(shapeOf(result, "output")) }, ...failed },
  }
  return { [method.toLowerCase()]: operation }
}

const CLICKS = `With the API key every call counts, or one a day for each visitor; the response is 200. Without a key, as
from a page of another site, one click a day counts for each client address and browser; the response is 204. A wrong key
is rejected.`

/** The only endpoint without a required key, and the only one that accepts a form body. */
function clickPath() {
  const { summary, request, response } = newClick
  const schema = shapeOf(request, "input")
  const content = { ...json(schema), "application/x-www-form-urlencoded": { schema } }
  const operation = {
    operationId: "new_click",
    summary,
    description: CLICKS,
    security: [{ key: [] }, {}],
    requestBody: { required: true, content },
    responses: {
      "200": { description: "Success, with a key", content: json(shapeOf(response, "output")) },
      "204": { description: "Success, without a key" },
      "400": failed["400"],
      "401": { ...failed["401"], description: "invalid-api-key" },
      "405": { description: "Method not allowed, use POST" },
      "429": failed["429"],
    },
  }
  return { post: operation }
}

const Demanded = z.object({ required: z.array(z.string()).default([]) })

/**
 * Reads `required` from the object schema: a coerced field alone would look optional, as coercion accepts undefined.
 */
function parametersOf(request: z.ZodObject) {
  const { required } = Demanded.parse(shapeOf(request, "input"))
  return Object.entries(request.shape).map(([name, shape]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: shapeOf(shape, "input"),
  }))
}

function bodyOf(request: z.ZodObject) {
  return { required: true, content: json(shapeOf(request, "input")) }
}

function json(schema: object) {
  return { "application/json": { schema } }
}

function shapeOf(shape: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" })
  return schema
}

const statuses = [...new Set(Object.values(errorCodes))]

/** Error codes of an HTTP status. */
function codesOf(status: number): string {
  const codes = Object.entries(errorCodes).flatMap(([code, its]) => (its === status ? [code] : []))
  return codes.join(", ")
}

const failed = Object.fromEntries(
  statuses.map((status) => [
    String(status),
    { description: codesOf(status), content: json({ $ref: "#/components/schemas/Failure" }) },
  ]),
)
