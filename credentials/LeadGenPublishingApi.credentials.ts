import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { baseUrlExpression } from '../nodes/LeadGenPublishing/n8n/baseUrlExpression';
import { CredentialError } from '../nodes/LeadGenPublishing/api/credentialError';
import { signRequest } from '../nodes/LeadGenPublishing/api/signRequest';
import { ENDPOINTS } from '../nodes/LeadGenPublishing/api/endpoints';
import { DOCUMENTED_WORDS, KEY_PLACEHOLDER } from '../nodes/LeadGenPublishing/api/wire';
import { credentialInputError } from '../nodes/LeadGenPublishing/words/credentialWords';

const rule = (value: number, message: string) => ({
	type: 'responseCode' as const,
	properties: { value, message },
});
const NOT_THIS_API =
	'This URL responds, but not with the API. Check the Base URL. It must be the URL of the API v1, with nothing after it.';
const REDIRECTED =
	'This URL redirects. Enter the target URL instead. The key is never sent to the target of a redirect.';

export class LeadGenPublishingApi implements ICredentialType {
	name = 'leadGenPublishingApi';

	displayName = 'Lead Gen & Publishing API';

	icon: Icon = {
		light: 'file:../icons/leadGenPublishing.svg',
		dark: 'file:../icons/leadGenPublishing.dark.svg',
	};

	documentationUrl =
		'https://github.com/leadgen-publishing/n8n-nodes-leadgen-publishing#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/api/v1',
			description: 'URL of the API v1, as you received it with your key',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: `e.g. ${KEY_PLACEHOLDER}`,
			description:
				'Keys are issued privately by the service. An agency key also reaches the accounts of its clients.',
		},
		{
			displayName: 'Enter Vendor Words Manually',
			name: 'setWords',
			type: 'boolean',
			default: false,
			description:
				'Whether to enter two vendor-specific words used in header and field names. The nodes normally detect both.',
			hint: 'Leave this off. Turn it on only if an error asks for the Service Word or the Network Word.',
		},
		{
			displayName: 'Service Word',
			name: 'serviceWord',
			type: 'string',
			default: '',
			placeholder: `e.g. ${DOCUMENTED_WORDS.service}`,
			description:
				"The service's name as it appears in header names. If empty, it is taken from the start of the API key.",
			displayOptions: { show: { setWords: [true] } },
		},
		{
			displayName: 'Network Word',
			name: 'networkWord',
			type: 'string',
			default: '',
			placeholder: `e.g. ${DOCUMENTED_WORDS.network}`,
			description:
				"The network's name as it appears in field names and URLs. If empty, it is detected from leads.",
			displayOptions: { show: { setWords: [true] } },
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		try {
			return signRequest(request, credentials);
		} catch (error) {
			throw error instanceof CredentialError ? credentialInputError(error) : error;
		}
	}

	test: ICredentialTestRequest = {
		request: {
			baseURL: baseUrlExpression('$credentials.baseUrl'),
			url: ENDPOINTS['account.getSubject'].path,
			disableFollowRedirect: true,
		},
		rules: [
			rule(
				401,
				'The API key was not accepted. Check that it is complete and not revoked, and that it belongs to this Base URL.',
			),
			rule(
				403,
				'The service knows this API key but does not allow its use. Ask the service whether the account is active.',
			),
			rule(404, NOT_THIS_API),
			rule(405, NOT_THIS_API),
			...[301, 302, 303, 307, 308].map((status) => rule(status, REDIRECTED)),
			rule(429, 'The service asks to slow down. Wait a moment, then test again.'),
			rule(500, 'The service failed unexpectedly. Test again later.'),
			rule(502, "The service's gateway cannot reach the service. Test again later."),
			rule(504, "The service's gateway cannot reach the service. Test again later."),
			rule(503, 'The service is not available at the moment. Test again later.'),
			{
				type: 'responseSuccessBody',
				properties: { key: 'data', value: undefined, message: NOT_THIS_API },
			},
			// n8n reads both kinds of rules from one list; its type allows only lists of one kind.
		] as ICredentialTestRequest['rules'],
	};
}
