import express from 'express';
import { body, matchedData, query, validationResult } from 'express-validator';
import { serve } from './serve.js';
serve((app) => {
  app.post(
    '/',
    express.json(),
    query('page').optional().isInt({ min: 1 }).toInt(),
    body('email').isEmail().normalizeEmail(),
    body('name').trim().isLength({ min: 2 }).withMessage('too short').escape(),
    body('tags').isArray({ max: 2 }),
    body('tags.*').isIn(['a', 'b']),
    (req, res) =>
      void res.json({
        errors: validationResult(req).array(),
        data: matchedData(req),
      }),
  );
});
