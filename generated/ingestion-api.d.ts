// Written by `npm run generate` from the documents in openapi/. Do not edit.

export interface paths {
    "/v1/batch": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send many events at once. */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `batch`; where Ruby and Java send. */
        post: operations["import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/b": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `batch`, from a browser or a phone. */
        post: operations["b"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one identify call. */
        post: operations["identify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/track": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one track call. */
        post: operations["track"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/page": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one page call. */
        post: operations["page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screen": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one screen call. */
        post: operations["screen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/group": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one group call. */
        post: operations["group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alias": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one alias call. */
        post: operations["alias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/i": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `identify`, from a browser or a phone. */
        post: operations["i"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/t": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `track`, from a browser or a phone. */
        post: operations["t"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/p": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `page`, from a browser or a phone. */
        post: operations["p"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/s": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `screen`, from a browser or a phone. */
        post: operations["s"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/g": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `group`, from a browser or a phone. */
        post: operations["g"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** As `alias`, from a browser or a phone. */
        post: operations["a"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/m": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where a browser library reports on itself. Whatever is sent is answered, and dropped unread. */
        post: operations["m"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pixel/{call}": {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
                /** @description The call as JSON in base64, of the usual or of the URL's alphabet. Its `writeKey` does as well. */
                data?: string;
            };
            header?: never;
            path: {
                call: "identify" | "track" | "page" | "screen" | "group" | "alias";
            };
            cookie?: never;
        };
        /**
         * Send one call by loading an image, as e-mails do.
         * @description Without `data` the call is read from the query itself: `userId=u1`, `properties.subject=News`. The answer is always 200 with the image, also when no event could be kept: nobody is there to read an error. In `integrations` the words `true` and `false` are switches, since a query holds nothing but text.
         */
        get: operations["pixel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{writeKey}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                writeKey: string;
            };
            cookie?: never;
        };
        /** What browser and mobile libraries are told when they start. */
        get: operations["settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a signed assertion for an access token.
         * @description OAuth 2.0 client credentials with a JWT (RFC 7523). `iss` and `sub` are a write key of the source, `kid` names one of its `oauth_keys`, `aud` is the public URL of this router (`--public-url`; without it, the address and port that it listens on), and a `jti` is accepted once, over restarts. Calls then carry the token as `Authorization: Bearer`, and the write key in the body. `/token` is the same address.
         */
        post: operations["token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One analytics call, as senders write it. */
        Call: {
            /** @enum {string} */
            type?: "identify" | "track" | "page" | "screen" | "group" | "alias";
            messageId?: string | null;
            userId?: components["schemas"]["Id"];
            anonymousId?: components["schemas"]["Id"];
            groupId?: components["schemas"]["Id"];
            previousId?: components["schemas"]["Id"];
            event?: string | null;
            name?: string | null;
            category?: string | null;
            properties?: components["schemas"]["Object"];
            traits?: components["schemas"]["Object"];
            context?: components["schemas"]["Object"];
            integrations?: components["schemas"]["Object"];
            /** @description Without it the server's time is used. */
            timestamp?: string | null;
            sentAt?: string | null;
            writeKey?: string | null;
        } & {
            [key: string]: unknown;
        };
        Batch: {
            /** @description Calls. An item that is no valid call is dropped alone, and the others are kept, so no shape is demanded here. Of a batch of more than 2 500 calls all are dropped. */
            batch: unknown[];
            /** @description The source's key. Without it, and without one in the header or the query, the key that the calls themselves carry is used; calls with different keys are rejected. */
            writeKey?: string | null;
            /** @description When the sender sent this, by its own clock. Invalid values are ignored. */
            sentAt?: unknown;
            /** @description Defaults for the context of each event. */
            context?: unknown;
            /** @description Defaults for the integrations of each event. */
            integrations?: unknown;
        };
        /** @description An error as every SDK in the field can read it. */
        Failure: {
            error: string;
            /** @description The numbers of the Config API. */
            code: number;
            /** @description The same text as `error`. */
            message: string;
        };
        /** @description A Call. Its fields are checked one by one, and an event that fails is dropped and counted, so no more than an object is demanded here. */
        CallBody: {
            [key: string]: unknown;
        };
        Nothing: Record<string, never>;
        Settings: {
            integrations: {
                /** @description The name is the libraries' own; it stands for the place that they send to. */
                "Segment.io": {
                    /** @description The write key. */
                    apiKey: string;
                    /**
                     * @description `library_config.api_host` of the source when it is set, else the router's public URL, else the host that this request came to; with `/v1`.
                     * @example waybill.example.com/v1
                     */
                    apiHost: string;
                    /** @enum {string} */
                    protocol: "http" | "https";
                    /**
                     * @description Whether calls that failed are tried again. Always true.
                     * @constant
                     */
                    retryQueue: true;
                    /** @constant */
                    addBundledMetadata: true;
                    unbundledIntegrations: string[];
                };
            };
            /** @description Nothing is switched off in the library; Waybill decides when events arrive. */
            plan: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            edgeFunction: components["schemas"]["Nothing"];
            /** @constant */
            analyticsNextEnabled: true;
            middlewareSettings: components["schemas"]["Nothing"];
            enabledMiddleware: components["schemas"]["Nothing"];
            /** @description Reports of the library on itself; sent when `library_config.metrics_enabled` is true. */
            metrics: {
                sampleRate: number;
                host: string;
            };
            /** @constant */
            legacyVideoPluginsEnabled: false;
            remotePlugins: unknown[];
        };
        TokenRequest: {
            /** @constant */
            grant_type: "client_credentials";
            /** @constant */
            client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
            client_assertion: string;
            scope?: string;
        };
        Token: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @constant */
            scope: "tracking_api:write";
        };
        /** @description As RFC 6749 has it, and readable like every other error here. */
        TokenFailure: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client";
            error_description: string;
            code: number;
            message: string;
        };
        /** @description Numbers are accepted and converted to strings, with all digits. Elsewhere, integers beyond 2^53 are rounded. */
        Id: string | number | null;
        Object: {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Exactly 200 with exactly this body; every event that passed its own checks is on disk. */
        Accepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                };
            };
        };
        /** @description The body is no JSON, no object of the right form, or of another encoding than gzip; or the context or integrations of a batch are nested deeper than 1 000 levels. Nothing is stored. */
        Malformed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The write key is missing or belongs to no source. A router that accepts unknown keys answers events with one as accepted, and does not keep them. */
        UnknownWriteKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body, inflated when it came as gzip, is over 512 000 bytes (500 KB), a single event is over 32 768 bytes, or the context and integrations of a batch are, or add more than 2 048 000 bytes to its events in all. Nothing is stored. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description More is under way than the router's settings allow. Nothing is stored; send it again, later. */
        Overloaded: {
            headers: {
                /** @description Seconds to wait */
                "Retry-After"?: number;
                /** @description The same number */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The store cannot write now. Nothing is stored; send it again, later. */
        Unavailable: {
            headers: {
                /** @description Seconds to wait */
                "Retry-After"?: number;
                /** @description The same number */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The source has `oauth_keys`, and the access token was not made by this router since it started, or is expired. SDKs ask for another and send again. */
        TokenRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description The source's key, for senders that can set neither a header nor the body. */
        writeKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    batch: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    import: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    b: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    identify: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    track: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    page: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    screen: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    group: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    alias: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    i: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    t: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    p: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    s: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    g: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    a: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
            511: components["responses"]["TokenRefused"];
        };
    };
    m: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Accepted"];
            429: components["responses"]["Overloaded"];
        };
    };
    pixel: {
        parameters: {
            query?: {
                /** @description The source's key, for senders that can set neither a header nor the body. */
                writeKey?: components["parameters"]["writeKey"];
                /** @description The call as JSON in base64, of the usual or of the URL's alphabet. Its `writeKey` does as well. */
                data?: string;
            };
            header?: never;
            path: {
                call: "identify" | "track" | "page" | "screen" | "group" | "alias";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transparent image of one pixel. */
            200: {
                headers: {
                    /** @description Kept nowhere, so that each time that the image is shown is a call. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                };
            };
        };
    };
    settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                writeKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to send, and nothing that would run in the page or app. */
            200: {
                headers: {
                    /** @description Five minutes; shared caches may keep it when the router knows its public URL. */
                    "Cache-Control"?: "public, max-age=300" | "private, max-age=300";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
        };
    };
    token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A token, good for a day or until the router starts again; then calls are answered 511, and SDKs ask for another. */
            200: {
                headers: {
                    /** @description Nothing else may keep a token. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is not of the right form, or the assertion is expired. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenFailure"];
                };
            };
            /** @description The assertion is not signed with a key of the source, is not meant for this router, or was used before. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenFailure"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Overloaded"];
            503: components["responses"]["Unavailable"];
        };
    };
}
