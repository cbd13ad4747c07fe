/**
 * What n8n's "Retry On Fail" and a person's "Retry execution" may do after what the tries before them
 * have learned. One suite, since loading n8n's engine takes longer than most of these tests.
 */
import './tries/afterwards';
import './tries/lostAnswers';
import './tries/neverSent';
import './tries/toolRetries';
