// @ts-nocheck: the files have no types of their own.
import request from "../../../node_modules/undici/lib/api/api-request.js"
import agent from "../../../node_modules/undici/lib/dispatcher/agent.js"

agent.prototype.request = request

export const Agent = agent
