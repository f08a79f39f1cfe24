# The final image contains node and podgraft, but no shell and no npm.
ARG NODE_VERSION=22.20.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY web ./web
COPY tools/build-page.mjs ./tools/
COPY deploy/chart ./deploy/chart
# Also without optional packages: TypeScript is an optional peer of valibot, and npm keeps development packages that are also optional peers.
RUN npm run build && npm prune --omit=dev --omit=optional
# Types are for authors of injectors, not for the server.
RUN find dist node_modules -name '*.d.ts' -delete -o -name '*.d.mts' -delete -o -name '*.d.cts' -delete -o -name '*.map' -delete
# node, its shared libraries and their loader, at their original paths. Without its symbols, node is 18 MB smaller.
RUN command -v strip || (apt-get update && apt-get install -y --no-install-recommends binutils)
RUN mkdir /runtime \
  && ldd "$(command -v node)" | grep -o '/[^ ]*' | sort -u \
    | xargs cp --parents --dereference --target-directory=/runtime "$(command -v node)" \
  && strip "/runtime$(command -v node)"

FROM scratch
COPY --from=build /runtime /
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
# Rendered by `podgraft manifests`.
COPY --from=build /app/deploy /app/deploy
# HOME, because there is no /etc/passwd. No cache for jiti, because the file system is read-only.
ENV NODE_ENV=production HOME=/app JITI_FS_CACHE=false
USER 65532:65532
EXPOSE 8443 9090
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]
CMD ["--help"]
