FROM node:26.10.0-slim AS build
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional

FROM node:26.10.0-slim
WORKDIR /shop
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /shop/package.json ./
COPY --from=build /shop/node_modules node_modules
COPY --from=build /shop/build build
# A named volume takes over the owner of the folder it is mounted on, so the folder is the unprivileged user's.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# 3001 is the sandbox, while no gateway is set.
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/checkout/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node as the first process: it gets the signals itself and stops as it should.
CMD ["node", "build/server/index.js"]
